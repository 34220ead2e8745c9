using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Waits;

namespace Dump.Model.Verdicts;

/// <summary>A lock that a thread holds or waits for.</summary>
/// <param name="Resource">The lock.</param>
/// <param name="Text">The lock in words, with its state.</param>
/// <param name="State">What the dump records of its state, or null.</param>
/// <param name="Holders">Who holds it, the best known first; empty where the owner is unknown.</param>
/// <param name="Waiters">Ids of the threads that wait for it, in the order of the dump.</param>
public sealed record HeldLock(
    [property: JsonPropertyOrder(0)] Resource Resource,
    [property: JsonPropertyOrder(1)] string Text,
    [property: JsonPropertyOrder(2), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] string? State,
    [property: JsonPropertyOrder(3)] ImmutableArray<LockHolder> Holders,
    [property: JsonPropertyOrder(4)] ImmutableArray<uint> Waiters)
{
    /// <summary>How many of the waiters have a time limit, so that their waits end by themselves.</summary>
    [JsonPropertyOrder(5)]
    public int TimedWaiters { get; init; }
}
