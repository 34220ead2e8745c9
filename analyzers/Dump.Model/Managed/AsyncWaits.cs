using System.Collections.Immutable;
using Dump.Model.Facts;

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

    /// <summary>Failed tasks whose exception nobody has looked at; those that most tasks share come first.</summary>
    public ImmutableArray<UnobservedFault> Faults { get; init; } = [];

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

/// <summary>Tasks each of which awaits the next one, and the last one the first: none of them can complete.</summary>
/// <param name="Links">The tasks in the order of their awaits, the first hundred; never empty.</param>
/// <param name="Length">How many tasks the cycle has.</param>
/// <param name="Grade">How well the weakest await is known.</param>
public sealed record AwaitCycle(ImmutableArray<AwaitLink> Links, int Length, Grade Grade)
{
    /// <summary>How many cycles of the same methods there are, this one included.</summary>
    public int Count { get; init; } = 1;

    /// <summary>How many further async methods await a task of one of these cycles, directly or through others.</summary>
    public int Behind { get; init; }

    /// <summary>Operating system ids of threads that block in a task of one of these cycles, or in one behind it, ascending.</summary>
    public ImmutableArray<uint> Threads { get; init; } = [];
}

/// <summary>A task of a cycle, which awaits the next one.</summary>
/// <param name="Task">Its address.</param>
/// <param name="Name">The async method as its author wrote it, or the operation: <c>Task.WhenAll</c>.</param>
/// <param name="State">Number of the await at which the method stands, from 0; null for what is no method.</param>
/// <param name="Grade">Proven when the method keeps what it awaits and that names the method as its continuation; Derived when only one of both is so.</param>
public sealed record AwaitLink(ulong Task, string Name, int? State, Grade Grade)
{
    /// <summary>The await at which the method stands; null when it is no method, or not known.</summary>
    public AwaitPlace? Place { get; init; }

    /// <summary>Where in the source code that is; null when unknown.</summary>
    public SourceLocation? Source { get; init; }
}

/// <summary>A SemaphoreSlim that cannot be entered now (its count is 0) and that async methods or threads wait for. It has no owner.</summary>
/// <param name="Address">Its address.</param>
public sealed record AwaitedSemaphore(ulong Address)
{
    /// <summary>How many waits its own list of async waiters has.</summary>
    public int Waiters { get; init; }

    /// <summary>How many of these have neither a time limit nor a cancellation token; what is not known to have none does not count.</summary>
    public int Unlimited { get; init; }

    /// <summary>How many requests to a web server cannot be answered before it is released; 0 also where that is not known.</summary>
    public int Requests { get; init; }

    /// <summary>How many threads wait for it, as it counts them itself.</summary>
    public int Blocked { get; init; }

    /// <summary>How many other calls of the program's methods among its waiters do not wait for it: one of them may have entered it, and release it.</summary>
    public int Further { get; init; }

    /// <summary>The innermost methods of the program's own that wait, with their number; those of most waits come first, the first few.</summary>
    public ImmutableArray<AwaitingMethod> Methods { get; init; } = [];

    /// <summary>
    /// The program's own methods of which calls cannot go on before it is released, callers included, by name; cut at a few hundred. A thread that executes
    /// one of them may have entered it.
    /// </summary>
    public ImmutableArray<string> Stopped { get; init; } = [];

    /// <summary>Operating system ids of threads that are known to wait for it, directly or in a task, ascending.</summary>
    public ImmutableArray<uint> Threads { get; init; } = [];

    /// <summary>Who besides its waiters can release it.</summary>
    public SemaphoreUsers Users { get; init; }

    /// <summary>
    /// Suspended calls that have waited for it and not released it, by the order of their code, the first few kinds; those of most calls come first.
    /// </summary>
    public ImmutableArray<SemaphoreHolder> Holders { get; init; } = [];

    /// <summary>True where the code of all suspended calls of the program was read, so that no other holder is among them.</summary>
    public bool AreHoldersKnown { get; init; }
}

/// <summary>Suspended calls of one method that stand, at one place, between their wait for a semaphore and their release of it.</summary>
/// <param name="Method">The method, with the number of its calls.</param>
public sealed record SemaphoreHolder(AwaitingMethod Method)
{
    /// <summary>Semaphores that must be released before these calls can go on, this one too where they wait for themselves, ascending; empty when none is known.</summary>
    public ImmutableArray<ulong> Behind { get; init; } = [];
}

/// <summary>
/// The task of a completion source that has not completed and that many async methods await at once. It has no owner: whoever has the source may complete it.
/// </summary>
/// <param name="Address">Its address.</param>
public sealed record AwaitedTask(ulong Address)
{
    /// <summary>How many async methods await it and nothing else, so that none of them has a time limit.</summary>
    public int Waiters { get; init; }

    /// <summary>How many other calls of the program's methods among its waiters do not wait for it: one of them may complete it.</summary>
    public int Further { get; init; }

    /// <summary>The innermost methods of the program's own that wait, with their number; those of most waits come first, the first few.</summary>
    public ImmutableArray<AwaitingMethod> Methods { get; init; } = [];

    /// <summary>
    /// The program's own methods of which calls cannot go on before it completes, callers included, by name; cut at a few hundred. A thread that executes one
    /// of them may be about to complete it.
    /// </summary>
    public ImmutableArray<string> Stopped { get; init; } = [];

    /// <summary>
    /// True where a timer or a registration with a cancellation token leads to its source: then it may complete by itself. Null where that is not known.
    /// </summary>
    public bool? EndsByItself { get; init; }
}

/// <summary>
/// A thread that waits without a limit for an object that nobody who can go on reaches: none of their stacks and registers, no static variable, handle, timer
/// or queued work leads to it. Those who wait so do not count, and neither does what an async method keeps before its await ends.
/// </summary>
/// <param name="ThreadId">Operating system id of the thread.</param>
public sealed record EndlessWait(uint ThreadId)
{
    /// <summary>Where it waits for an async method: the innermost method of the program's own of those that await each other; null when there is none.</summary>
    public AwaitingMethod? Method { get; init; }

    /// <summary>
    /// And what the innermost of all awaits, as it is printed, for example <c>TaskCompletionSource&lt;String&gt;</c>; null when it is not known, and where
    /// <see cref="HasCompleted"/>.
    /// </summary>
    public string? Awaited { get; init; }

    /// <summary>Address of that object; null when it is not known.</summary>
    public ulong? AwaitedObject { get; init; }

    /// <summary>True where what the innermost of all awaits has completed: what continues the method lies where nobody runs it.</summary>
    public bool HasCompleted { get; init; }
}

/// <summary>Why nothing is known of a managed heap that was to be looked at.</summary>
public enum HeapLookGap
{
    /// <summary>The memory of the heap, or parts of it, are not in the dump.</summary>
    Absent,

    /// <summary>A garbage collection was moving objects.</summary>
    BeingCollected,

    /// <summary>The walk broke off at memory that cannot be read, or at a damaged object.</summary>
    BrokenOff,
}

/// <summary>
/// A host of Microsoft.Extensions.Hosting that has begun to start or to stop and has not finished: its services are not all up, or the process does not end.
/// </summary>
/// <param name="Address">The object of the host's pending async method.</param>
/// <param name="IsStart">True for a host that starts, false for one that stops.</param>
public sealed record HostTransition(ulong Address, bool IsStart)
{
    /// <summary>The innermost method of the program's own that the host waits for; null when there is none.</summary>
    public AwaitingMethod? Method { get; init; }

    /// <summary>What stands at the end of its awaits, in words; null for something that nobody is known to end: a completion source, a semaphore.</summary>
    public string? End { get; init; }

    /// <summary>True when that is time, or code that runs.</summary>
    public bool EndsByItself { get; init; }
}

/// <summary>Who can release a semaphore.</summary>
public enum SemaphoreUsers
{
    /// <summary>It was not looked, or there was too much to look at.</summary>
    Unknown,

    /// <summary>Code besides its waiters can reach it: another method or thread, a static variable, an object that something else refers to.</summary>
    Others,

    /// <summary>Only those that wait for it can reach it, and they do not go on before somebody releases it.</summary>
    OnlyWaiters,
}
