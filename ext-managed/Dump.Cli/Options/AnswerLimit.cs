namespace Dump.Cli.Options;

/// <summary>Something that has to answer, and how long that may take.</summary>
/// <param name="Target">An address, or the path of a program.</param>
/// <param name="Within">The time.</param>
internal sealed record AnswerLimit(string Target, TimeSpan Within);
