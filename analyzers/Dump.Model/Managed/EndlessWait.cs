namespace Dump.Model.Managed;

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
