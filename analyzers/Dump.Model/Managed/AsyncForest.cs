using System.Collections.Immutable;
using System.Text.Json.Serialization;

namespace Dump.Model.Managed;

/// <summary>The pending async methods of a process, by chains of awaits: what a search of the managed heap found.</summary>
public sealed record AsyncForest
{
    /// <summary>False when the heap, or parts of it, are not in the dump.</summary>
    public bool HeapIsPresent { get; init; }

    /// <summary>Version of the .NET runtime, or null when unknown.</summary>
    public string? RuntimeVersion { get; init; }

    /// <summary>Async methods that have begun and not ended.</summary>
    public long PendingMethods { get; init; }

    /// <summary>Other tasks that have not completed: delays, waits for a semaphore, work that was queued.</summary>
    public long OtherPendingTasks { get; init; }

    /// <summary>Chains of awaits, equal ones once; those that most tasks form come first.</summary>
    public ImmutableArray<AsyncChain> Chains { get; init; } = [];

    /// <summary>How many different chains are left out because there are too many.</summary>
    public long ChainsLeftOut { get; init; }

    /// <summary>Tasks that have failed with an exception that nobody has looked at, equal ones once.</summary>
    public ImmutableArray<UnobservedFault> Faults { get; init; } = [];

    /// <summary>True when it was not looked whether anybody can still continue or complete what is awaited: too much is, or the heap is damaged.</summary>
    public bool LossesAreUnknown { get; init; }

    /// <summary>How many tasks could not be read.</summary>
    public long Unreadable { get; init; }

    /// <summary>The walk over the heap; null when there was none.</summary>
    public HeapWalkFacts? Walk { get; init; }
}

/// <summary>Equal chains of awaits: the first method or task, what it awaits, and so on down to what must happen.</summary>
/// <param name="Count">How many such chains there are.</param>
/// <param name="Steps">The chain, beginning with what nothing else awaits; never empty.</param>
/// <param name="Example">Address of the task that one of the chains begins with, the lowest.</param>
public sealed record AsyncChain(long Count, ImmutableArray<AsyncStep> Steps, ulong Example)
{
    /// <summary>Operating system ids of threads that block in the first task.</summary>
    public ImmutableArray<uint> Threads { get; init; } = [];

    /// <summary>Why nothing seems to continue these chains.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public AsyncLoss Loss { get; init; }

    /// <summary>True when the chain leads back into itself: the tasks await each other.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool IsCycle { get; init; }

    /// <summary>How many different objects these chains end at: tasks, semaphores, sources of values; 0 when they end at none, or at several each.</summary>
    public long Ends { get; init; }

    /// <summary>The object that all of them end at, or the one with the lowest address; null when there is none.</summary>
    public ulong? End { get; init; }

    /// <summary>State of the only object that all of them end at, in words, or null.</summary>
    public string? EndState { get; init; }
}

/// <summary>Why a pending async method seems to be lost: all of these are suspicions, for a moment of any program can look like this.</summary>
public enum AsyncLoss
{
    /// <summary>It does not seem to be lost.</summary>
    None,

    /// <summary>What it awaits has completed, and no queue, delegate or stack that would continue it refers to it.</summary>
    NotContinued,

    /// <summary>The task that it awaits has nobody to tell when it completes.</summary>
    NotRegistered,

    /// <summary>Only what awaits the task refers to it, so that nobody is left to complete it.</summary>
    NobodyCompletes,
}

/// <summary>What a walk over the managed heap met.</summary>
/// <param name="Segments">Segments of the heap.</param>
/// <param name="Objects">Objects passed, free blocks included.</param>
/// <param name="Bytes">Bytes of the segments together.</param>
/// <param name="Types">Different types (method tables) met.</param>
/// <param name="Gaps">Places where an object was just being made, which the walk passed over by the record of its allocation context.</param>
/// <param name="Stops">Segments that could not be walked to their ends.</param>
public sealed record HeapWalkFacts(int Segments, long Objects, long Bytes, int Types, int Gaps, ImmutableArray<HeapStop> Stops);

/// <summary>A place where the walk over a segment of the managed heap ended before the segment did.</summary>
/// <param name="SegmentStart">First object of the segment.</param>
/// <param name="Address">Where the walk ended.</param>
/// <param name="BytesLeft">How much of the segment lies behind it, bytes.</param>
/// <param name="Reason">Why, in words.</param>
public sealed record HeapStop([property: JsonPropertyName("segment")] ulong SegmentStart, ulong Address, long BytesLeft, string Reason);

/// <summary>Tasks that have failed, and whose exception nobody has looked at.</summary>
/// <param name="Count">How many.</param>
/// <param name="Task">The async method or the operation (sanitised).</param>
/// <param name="Exception">Type of the exception, or null when unknown.</param>
/// <param name="Example">Address of one of the tasks, the lowest.</param>
public sealed record UnobservedFault(long Count, string Task, string? Exception, ulong Example);
