using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Facts;
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

/// <summary>A thread that holds a lock.</summary>
/// <param name="ThreadId">Operating system id, as the lock stores it; 0 where <paramref name="Description"/> names the holder.</param>
/// <param name="IsAlive">True when the dump lists the thread, false when it lists all threads and this one is not among them, null when that is
/// unknown.</param>
/// <param name="Description">A holder that is no thread of this process or has no id any more, in words; null otherwise.</param>
/// <param name="RecursionCount">How many times it has entered, or null when the lock does not store it.</param>
/// <param name="Does">What the thread does at the moment, as a clause.</param>
/// <param name="Grade">How well the holder is known.</param>
public sealed record LockHolder(
    [property: JsonPropertyName("thread")] uint ThreadId,
    bool? IsAlive,
    string? Description,
    [property: JsonPropertyName("recursion")] int? RecursionCount,
    string Does,
    Grade Grade)
{
    /// <summary>
    /// Seconds before this dump at which the oldest of the earlier dumps shows the thread with the lock, as do all dumps in between; left out when that is not
    /// known. It may have released and taken it again.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public int? HeldSecondsEarlier { get; init; }
}
