using System.Collections.Immutable;

namespace Dump.Model.Managed;

/// <summary>What a look at the managed heap shows of async methods that cannot go on by themselves. Only small heaps are looked at.</summary>
public sealed record AsyncWaits
{
    /// <summary>Bytes of a heap that was too large to be looked at, of which nothing is known; null where it was looked at.</summary>
    public long? HeapLeftOut { get; init; }

    /// <summary>
    /// How many tasks are pending where they were too many to be looked at while a process stands still, so that nothing is known of them; else null.
    /// </summary>
    public long? TasksLeftOut { get; init; }

    /// <summary>Why the heap could not be looked at, so that nothing is known of it; null where it was, and where it was too large.</summary>
    public HeapLookGap? Gap { get; init; }

    /// <summary>Tasks that await each other; those that most tasks take part in come first.</summary>
    public ImmutableArray<AwaitCycle> Cycles { get; init; } = [];

    /// <summary>Semaphores that cannot be entered and are waited for; those with most waiters come first.</summary>
    public ImmutableArray<AwaitedSemaphore> Semaphores { get; init; } = [];

    /// <summary>Threads for which nobody is left to end their waits, by id. Empty where that was not looked at, too.</summary>
    public ImmutableArray<EndlessWait> Endless { get; init; } = [];

    /// <summary>Tasks of completion sources that many async methods await; those with most waiters come first.</summary>
    public ImmutableArray<AwaitedTask> Tasks { get; init; } = [];

    /// <summary>Calls that each await the task of a completion source of their own, by the method that waits; those of most tasks come first.</summary>
    public ImmutableArray<AwaitedSources> Sources { get; init; } = [];

    /// <summary>Pending calls of all async methods, by method, await and what follows; those that most calls form come first, the first of them.</summary>
    public ImmutableArray<PendingCalls> Calls { get; init; } = [];

    /// <summary>The same in two looks between which no collection has moved objects; null where that is not known.</summary>
    public ulong? HeapShape { get; init; }

    /// <summary>Hosts that have not finished starting or stopping.</summary>
    public ImmutableArray<HostTransition> Hosts { get; init; } = [];

    /// <summary>
    /// True when an async method of the program awaits time: a delay or a timer, which ends by itself. False when none does, or that is not known.
    /// </summary>
    public bool AwaitsTime { get; init; }
}
