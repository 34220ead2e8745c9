namespace Dump.Readers.Unwinding.Arm64;

/// <summary>What an ARM64 unwind code undoes.</summary>
internal enum Arm64UnwindOperation
{
    /// <summary>Nothing of the stack: a store of an argument, a call to grow the stack, or a code reserved as one without effect.</summary>
    Nothing,

    /// <summary>Stack memory was taken.</summary>
    Allocate,

    /// <summary>General registers were stored.</summary>
    SaveGeneral,

    /// <summary>A general register and, behind it, the link register were stored.</summary>
    SaveWithLink,

    /// <summary>Vector registers were stored. Their values are not followed.</summary>
    SaveVector,

    /// <summary>The next pair of registers was stored behind those of the save that follows in the codes.</summary>
    SaveNext,

    /// <summary>The frame pointer was set from the stack pointer.</summary>
    SetFramePointer,

    /// <summary>The return address was signed.</summary>
    SignReturnAddress,

    /// <summary>The kernel stored a trap frame.</summary>
    TrapFrame,

    /// <summary>Stack pointer and program counter of interrupted code were stored.</summary>
    MachineFrame,

    /// <summary>A whole CONTEXT was stored.</summary>
    Context,

    /// <summary>The link register is where the caller was interrupted, not the return address of a call.</summary>
    ClearUnwoundToCall,

    /// <summary>End of the codes of this part; those of the function that it was taken from follow.</summary>
    EndChained,

    /// <summary>End of the codes.</summary>
    End,

    /// <summary>A code that is reserved or not undone here.</summary>
    Unknown,
}
