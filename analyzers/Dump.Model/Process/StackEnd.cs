namespace Dump.Model.Process;

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
