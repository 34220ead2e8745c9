using System.Text.Json.Serialization;
using Dump.Model.Facts;

namespace Dump.Model.Reported;

/// <summary>A window message that a thread's loop is handling.</summary>
/// <param name="FrameIndex">Index of the loop's frame.</param>
/// <param name="Window">Handle of the window.</param>
/// <param name="Message">Number of the message.</param>
/// <param name="Grade">How well it is known.</param>
public sealed record ReportedMessage([property: JsonPropertyName("frame"), JsonRequired] int FrameIndex, ulong Window, ulong Message, Grade Grade);
