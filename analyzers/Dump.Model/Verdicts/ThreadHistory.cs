using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Facts;

namespace Dump.Model.Verdicts;

/// <summary>What a thread of the last of several dumps did before.</summary>
/// <param name="ThreadId">The thread.</param>
/// <param name="StandsSince">
/// Number of the dump, 1-based, since which it has stood at the same frames in every one; null when it did not in the last but one, or its frames are unknown.
/// </param>
public sealed record ThreadHistory([property: JsonPropertyName("thread"), JsonRequired] uint ThreadId, int? StandsSince)
{
    /// <summary>CPU time in microseconds that it used from each dump to the next; null where that is not recorded in both.</summary>
    public ImmutableArray<long?> UsedMicroseconds { get; init => field = value.OrEmpty(); } = [];

    /// <summary>What it waits for in the last dump.</summary>
    public ImmutableArray<WaitHistory> Waits { get; init => field = value.OrEmpty(); } = [];
}
