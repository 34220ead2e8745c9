using System.Collections.Immutable;

namespace Dump.Model.Process;

/// <summary>A thread's stack.</summary>
/// <param name="Frames">Frames, innermost first.</param>
/// <param name="End">Why there are no further frames.</param>
public sealed record ThreadStack(ImmutableArray<StackFrame> Frames, StackEnd End)
{
    /// <summary>
    /// Digest of the memory of the innermost frames: two dumps of a thread that stood still have the same, those of one that came back to the same place need
    /// not. Null where it was not read, and for stacks with managed frames, in which the garbage collector changes references.
    /// </summary>
    public string? Content { get; init; }

    /// <summary>
    /// The same from the innermost frame outside ntdll on: what the code that waits keeps, without the wait's own frames, in which other threads may write
    /// their places in the queue.
    /// </summary>
    public string? CallerContent { get; init; }

    /// <summary>A stack without any frame.</summary>
    public static ThreadStack None { get; } = new([], StackEnd.NoContext);
}

/// <summary>Why a stack ends where it does.</summary>
public enum StackEnd
{
    /// <summary>The thread's outermost frame was reached.</summary>
    Complete,

    /// <summary>The stack memory that was needed next is not in the dump.</summary>
    MemoryMissing,

    /// <summary>A function's unwind information is not in the dump and no matching image was given.</summary>
    UnwindInfoMissing,

    /// <summary>The data contradict each other: a stack pointer that moves backwards, a return address outside code, unknown unwind codes.</summary>
    Inconsistent,

    /// <summary>The limit on frames was reached.</summary>
    Limit,

    /// <summary>The dump has no registers for the thread, or they belong to an architecture that is not unwound.</summary>
    NoContext,
}
