using Dump.Model.Facts;

namespace Dump.Model.Managed;

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
