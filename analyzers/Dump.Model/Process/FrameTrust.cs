namespace Dump.Model.Process;

/// <summary>How a stack frame was found. Ordered: a larger value is more trustworthy.</summary>
public enum FrameTrust
{
    /// <summary>
    /// A value on the stack that looks like a return address (a call instruction precedes it), the value on top of the stack where the function's unwind
    /// information is missing, or an address of which nothing readable says that it is code. May be stale.
    /// </summary>
    Scan = 0,

    /// <summary>Found by following a chain of saved frame pointers.</summary>
    FramePointer = 1,

    /// <summary>
    /// Found by following the function's instructions to its return, where the architecture has no unwind
    /// information (32-bit x86); a call stands before the address found.
    /// </summary>
    Instructions = 2,

    /// <summary>Found by the function's unwind information, from a trusted caller chain.</summary>
    UnwindInfo = 3,

    /// <summary>The thread's saved registers.</summary>
    Context = 4,
}
