using System.Collections.Immutable;

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
