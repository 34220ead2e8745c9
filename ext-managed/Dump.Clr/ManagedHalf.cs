using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Clr.Frames;
using Dump.Model.Collections;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Clr;

/// <summary>What the .NET runtime adds to a process' facts: plain data, so that it can be read by another process than the one that reports it.</summary>
internal sealed record ManagedHalf
{
    /// <summary>Managed threads.</summary>
    public required ImmutableArray<ManagedThreadHalf> Threads { get; init; }

    /// <summary>The runtime with its release, for example <c>.NET 10.0.12</c>; null where no runtime could be read.</summary>
    public string? Runtime { get; init; }

    /// <summary>File names of the managed modules.</summary>
    public required ImmutableArray<string> Modules { get; init; }

    /// <summary>Managed modules with code on stacks or in pending methods, as <see cref="MethodPlace.Module"/> counts them.</summary>
    public ImmutableArray<ManagedModule> CodeModules { get; init; } = [];

    /// <summary>Who waits for what.</summary>
    public required ImmutableArray<WaitFact> Waits { get; init; }

    /// <summary>Who holds what.</summary>
    public required ImmutableArray<OwnershipFact> Ownerships { get; init; }

    /// <summary>Waits for tasks that no thread is known to run.</summary>
    public required ImmutableArray<TaskWait> TaskWaits { get; init; }

    /// <summary>Broken collections.</summary>
    public required ImmutableArray<CollectionFinding> Collections { get; init; }

    /// <summary>Collections that threads are inside of.</summary>
    public required ImmutableArray<CollectionUse> CollectionUses { get; init; }

    /// <summary>What was looked at for broken collections, or null when nothing could be.</summary>
    public required CollectionScan? CollectionScan { get; init; }

    /// <summary>The pending async methods, or null when they were not asked for.</summary>
    public AsyncForest? AsyncTasks { get; init; }

    /// <summary>The requests that the process serves and sends, or null when they were not asked for.</summary>
    public RequestsInFlight? Requests { get; init; }

    /// <summary>Async methods that cannot go on, or null when nobody asked or the heap could not be looked at.</summary>
    public AsyncWaits? AsyncWaits { get; init; }

    /// <summary>The thread pool, or null.</summary>
    public required ThreadPoolState? ThreadPool { get; init; }

    /// <summary>Names of resources: type names.</summary>
    public required ImmutableArray<ResourceName> Names { get; init; }

    /// <summary>What resources are in their users' words.</summary>
    public required ImmutableArray<DescribedResource> Descriptions { get; init; }

    /// <summary>What could not be read.</summary>
    public required ImmutableArray<MissingData> Missing { get; init; }

    /// <summary>How many managed threads are known to be missing because the runtime's list of threads breaks off.</summary>
    public int LostThreads { get; init; }

    /// <summary>
    /// The exception object of the thread whose exception the dump's writer recorded, then those inside of it; empty when there is none.
    /// </summary>
    public ImmutableArray<ThrownException> Thrown { get; init; } = [];

    /// <summary>
    /// Where the native half knows of no exception, the exception objects of the threads that have one in flight: who merges the halves may know more, for
    /// example by images that the reader of this half did not have.
    /// </summary>
    public ImmutableArray<ThreadException> InFlight { get; init; } = [];

    /// <summary>Threads of which it is unknown, at this moment, what they wait for.</summary>
    public required ImmutableArray<uint> UnidentifiedWaiters { get; init; }

    /// <summary>Threads that stand in the runtime until a garbage collection is over that is carried out at this moment.</summary>
    public ImmutableArray<uint> CollectionWaiters { get; init; } = [];

    /// <summary>How many signals the program handles, or null when unknown.</summary>
    public required int? SignalHandlers { get; init; }

    /// <summary>What <see cref="ProcessSnapshot.EndedAtExit"/> says.</summary>
    public ImmutableArray<ulong> EndedAtExit { get; init; } = [];

    /// <summary>How many timers will fire some time, or null when unknown.</summary>
    public int? PendingTimers { get; init; }

    /// <summary>How it was read, for people, where that must be said; else null.</summary>
    [JsonIgnore]
    public string? Origin { get; init; }

    /// <summary>A half that could not be read.</summary>
    /// <param name="reasons">What is missing.</param>
    public static ManagedHalf Unreadable(params ImmutableArray<MissingData> reasons) => new()
    {
        Threads = [],
        Modules = [],
        Waits = [],
        Ownerships = [],
        TaskWaits = [],
        Collections = [],
        CollectionUses = [],
        CollectionScan = null,
        ThreadPool = null,
        Names = [],
        Descriptions = [],
        Missing = reasons,
        UnidentifiedWaiters = [],
        SignalHandlers = null,
    };
}
