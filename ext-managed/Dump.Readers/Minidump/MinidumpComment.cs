namespace Dump.Readers.Minidump;

/// <summary>A comment stream: what the writer wanted to say, for example procdump's command line and trigger.</summary>
/// <param name="Text">The text, verbatim but sanitised.</param>
public sealed record MinidumpComment(string Text);
