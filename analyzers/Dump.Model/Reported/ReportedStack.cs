using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Facts;

namespace Dump.Model.Reported;

/// <summary>Frames of one thread.</summary>
/// <param name="ThreadId">The thread.</param>
/// <param name="Role">The thread's part as a clause (<c>holds the loader lock, spins</c>), or why it is shown; null when it is merely one of all.</param>
/// <param name="Frames">Innermost first; where only those that matter are given, their indexes have gaps.</param>
public sealed record ReportedStack(
    [property: JsonPropertyName("thread"), JsonPropertyOrder(0), JsonRequired] uint ThreadId,
    [property: JsonPropertyOrder(1)] string? Role,
    ImmutableArray<ReportedFrame> Frames)
{
    /// <summary>Innermost first; where only those that matter are given, their indexes have gaps.</summary>
    [JsonPropertyOrder(2)]
    public ImmutableArray<ReportedFrame> Frames { get; init => field = value.OrEmpty(); } = Frames.OrEmpty();

    /// <summary>How many frames the thread has behind the last one given; absent when there are none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault), JsonPropertyOrder(3)]
    public int More { get; init; }
}
