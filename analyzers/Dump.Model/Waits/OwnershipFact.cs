using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Facts;

namespace Dump.Model.Waits;

/// <summary>A thread holds a resource.</summary>
/// <param name="Resource">What is held.</param>
/// <param name="OwnerThreadId">Operating system id of the holder, as the resource stores it.</param>
/// <param name="OwnerIsAlive">True when the dump lists that thread, false when the dump lists all threads and
/// this one is not among them, null when that is unknown.</param>
/// <param name="RecursionCount">How many times the holder has entered, or null when the resource does not store it.</param>
/// <param name="Grade">How well the holder is known.</param>
/// <param name="Evidence">Why; never empty.</param>
public sealed record OwnershipFact(
    [property: JsonPropertyOrder(0), JsonRequired] Resource Resource,
    [property: JsonPropertyName("owner"), JsonPropertyOrder(1), JsonRequired] uint OwnerThreadId,
    [property: JsonPropertyOrder(2)] bool? OwnerIsAlive,
    [property: JsonPropertyName("recursion"), JsonPropertyOrder(4)] int? RecursionCount,
    [property: JsonPropertyOrder(5)] Grade Grade,
    ImmutableArray<Evidence> Evidence)
{
    /// <summary>Why; never empty.</summary>
    [JsonPropertyOrder(6)]
    public ImmutableArray<Evidence> Evidence { get; init => field = value.OrEmpty(); } = Evidence.OrEmpty();

    /// <summary>
    /// Words for an owner that is no thread of this process or has no operating system id any more, for
    /// example <c>managed thread 4</c>; null otherwise. <see cref="OwnerThreadId"/> is then 0.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull), JsonPropertyOrder(3)]
    public string? OwnerDescription { get; init; }

    /// <summary>
    /// The managed id that the lock stores, where nothing else joins the lock and its owner: nothing on the owner's stack leads to the lock. The runtime gives
    /// the id of an ended thread to a new one, so that this may be a later thread. Null where there is more evidence, and for locks that store other ids.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull), JsonPropertyOrder(7)]
    public int? ManagedIdAlone { get; init; }

    /// <summary>
    /// True for a lock that does not check who releases it, so that programs may hand it over: a normal or adaptive mutex of glibc
    /// (nptl/pthread_mutex_unlock.c). Its owner is who took it, and another thread may be the one that releases it.
    /// </summary>
    [JsonIgnore]
    public bool OthersMayRelease { get; init; }

    /// <summary>
    /// How many waits for the resource have been counted in its life, by the resource itself; it may have begun anew. Null where it counts none. Two dumps in
    /// which it differs by more than the new waiters show that the resource has changed hands in between.
    /// </summary>
    [JsonIgnore]
    public uint? Contentions { get; init; }
}
