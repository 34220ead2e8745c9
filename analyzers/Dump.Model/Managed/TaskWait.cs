using System.Collections.Immutable;
using Dump.Model.Facts;

namespace Dump.Model.Managed;

/// <summary>A thread blocks in a task that no thread is known to run.</summary>
/// <param name="ThreadId">Operating system id of the blocked thread.</param>
/// <param name="Steps">The chain of awaits; never empty.</param>
/// <param name="ThreadContext">The context that is current on the thread, or null when it has none.</param>
/// <param name="ContinuationContext">Address of the context that a continuation in the chain must be sent to: the thread's own where one of the pending steps
/// behind the first needs that, else the last one's; null when it has none or it is not known.</param>
public sealed record TaskWait(uint ThreadId, ImmutableArray<AwaitStep> Steps, SynchronizationContextFact? ThreadContext, ulong? ContinuationContext);

/// <summary>
/// One task of the chain behind a synchronous wait: the first is the task that a thread blocks in, each next one is what the method of the one before awaits.
/// </summary>
/// <param name="Task">Address of the task object.</param>
/// <param name="Description">The async method that the task stands for, or the task's type.</param>
/// <param name="State">Where it stands.</param>
public sealed record AwaitStep(ulong Task, string Description, TaskState State)
{
    /// <summary>The await at which the method stands; null when it is no method, runs, or is not known.</summary>
    public AwaitPlace? Place { get; init; }

    /// <summary>Where in the source code that is; null when unknown.</summary>
    public SourceLocation? Source { get; init; }
}

/// <summary>A <c>SynchronizationContext</c>: where continuations of async methods are sent.</summary>
/// <param name="Address">Address of the object.</param>
/// <param name="Type">Full type name.</param>
/// <param name="IsServedByThread">True when methods of that type stand on the thread's stack below the wait,
/// so that the thread itself runs what is sent there.</param>
public sealed record SynchronizationContextFact(ulong Address, string Type, bool IsServedByThread)
{
    /// <summary>Operating system id of the thread that runs what is sent there, by the context's own record; null where it has none.</summary>
    public uint? ServingThread { get; init; }
}

/// <summary>Where a managed task stands.</summary>
public enum TaskState
{
    /// <summary>Its fields could not be read.</summary>
    Unknown,

    /// <summary>It has not completed.</summary>
    Pending,

    /// <summary>It has completed, failed or been cancelled.</summary>
    Completed,
}
