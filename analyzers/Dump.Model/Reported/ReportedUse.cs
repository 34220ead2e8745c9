using System.Text.Json.Serialization;

namespace Dump.Model.Reported;

/// <summary>What a thread used of the processor between two samples or dumps.</summary>
/// <param name="UsedMicroseconds">Processor time in between, kernel and user together.</param>
/// <param name="OverMicroseconds">Time between the two.</param>
/// <param name="WasAlwaysReady">True when it never waited in between; null when that was not recorded.</param>
public sealed record ReportedUse(
    [property: JsonRequired] long UsedMicroseconds,
    [property: JsonRequired] long OverMicroseconds,
    [property: JsonPropertyName("alwaysReady")] bool? WasAlwaysReady);
