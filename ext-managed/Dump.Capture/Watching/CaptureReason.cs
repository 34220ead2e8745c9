namespace Dump.Capture.Watching;

/// <summary>Why a process is captured.</summary>
/// <param name="Condition">Name of the condition, as on the command line.</param>
/// <param name="Text">What was seen, as a clause (sanitised).</param>
public sealed record CaptureReason(string Condition, string Text);
