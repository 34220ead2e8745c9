using System.Collections.Immutable;

namespace Dump.Model.Managed;

/// <summary>One pending call of an async method. The collector moves both objects.</summary>
/// <param name="Task">Address of its task.</param>
/// <param name="End">
/// Address of the object that its chain of awaits ends at: of a wait for a semaphore the wait itself, which each has of its own. 0 where there is none, or several.
/// </param>
public sealed record PendingCall(ulong Task, ulong End)
{
    /// <summary>How often that object has been used, where one serves many awaits after each other (those of a channel); else 0.</summary>
    public int Use { get; init; }
}

/// <summary>Calls of one async method that stand at the same await, with equal chains of awaits below.</summary>
/// <param name="Count">How many such calls are pending.</param>
/// <param name="Steps">The method, what it awaits, and so on down to what must happen; never empty.</param>
/// <param name="Methods">
/// How many of the first steps are one task: 1 for what compilers make of an async method, all its suspended calls for one that the runtime suspends.
/// </param>
/// <param name="End">What must happen for the first of them to go on.</param>
public sealed record PendingCalls(long Count, ImmutableArray<AsyncStep> Steps, int Methods, AwaitEndKind End)
{
    /// <summary>How many different objects these calls end at; 0 when they end at none, or at several each.</summary>
    public long Ends { get; init; }

    /// <summary>The object that all of them end at, or the one with the lowest address; null when there is none.</summary>
    public ulong? Object { get; init; }

    /// <summary>Those with the lowest addresses, by which they are known again in another look; all where they are few.</summary>
    public ImmutableArray<PendingCall> First { get; init; } = [];

    /// <summary>How many requests to a server of ASP.NET Core cannot be answered before these calls have ended.</summary>
    public int Requests { get; init; }

    /// <summary>State of the only object that all of them end at, in words, or null.</summary>
    public string? ObjectState { get; init; }
}

/// <summary>What stands at the end of a chain of awaits.</summary>
public enum AwaitEndKind
{
    /// <summary>Something that other code of the process must do: release a semaphore, complete a task, make room in a channel. Whether it will is unknown.</summary>
    OtherCode,

    /// <summary>A time that comes by itself.</summary>
    Time,

    /// <summary>Input or output, which the other end of a socket or pipe decides.</summary>
    InputOutput,

    /// <summary>The next item of a queue, as idle consumers await it.</summary>
    NewWork,

    /// <summary>Code that runs, or can run.</summary>
    Running,
}
