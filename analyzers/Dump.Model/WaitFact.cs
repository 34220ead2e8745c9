using System.Collections.Immutable;

namespace Dump.Model;

/// <summary>A thread waits for a resource.</summary>
/// <param name="ThreadId">Operating system id of the waiting thread.</param>
/// <param name="Resource">What it waits for.</param>
/// <param name="Timeout">What is known of the time limit.</param>
/// <param name="Grade">How well thread, resource and the fact of waiting are known.</param>
/// <param name="Evidence">Why; never empty.</param>
/// <param name="Milliseconds">The finite time limit in milliseconds when known, else null.</param>
/// <param name="IsWaitAny">True when the wait ends as soon as any one of several objects is signalled: it is not blocked by one owner alone.</param>
public sealed record WaitFact(
    uint ThreadId,
    Resource Resource,
    WaitTimeout Timeout,
    Grade Grade,
    ImmutableArray<Evidence> Evidence,
    long? Milliseconds = null,
    bool IsWaitAny = false);
