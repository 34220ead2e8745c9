using System.Collections.Immutable;
using Dump.Model.Facts;

namespace Dump.Model.Waits;

/// <summary>A thread holds a resource.</summary>
/// <param name="Resource">What is held.</param>
/// <param name="OwnerThreadId">Operating system id of the holder, as the resource stores it.</param>
/// <param name="OwnerIsAlive">True when the dump lists that thread, false when the dump lists all threads and this one is not among them, null when that is unknown.</param>
/// <param name="RecursionCount">How many times the holder has entered, or null when the resource does not store it.</param>
/// <param name="Grade">How well the holder is known.</param>
/// <param name="Evidence">Why; never empty.</param>
public sealed record OwnershipFact(
    Resource Resource,
    uint OwnerThreadId,
    bool? OwnerIsAlive,
    int? RecursionCount,
    Grade Grade,
    ImmutableArray<Evidence> Evidence)
{
    /// <summary>Words for an owner that is no thread of this process or has no operating system id any more, for example <c>managed thread 4</c>; null otherwise. <see cref="OwnerThreadId"/> is then 0.</summary>
    public string? OwnerDescription { get; init; }
}
