namespace Dump.Readers.Registers;

/// <summary>General registers in the order of their encoding in instructions and unwind codes.</summary>
public enum X64Register
{
    /// <summary>RAX.</summary>
    Rax,

    /// <summary>RCX.</summary>
    Rcx,

    /// <summary>RDX.</summary>
    Rdx,

    /// <summary>RBX, nonvolatile.</summary>
    Rbx,

    /// <summary>RSP, the stack pointer.</summary>
    Rsp,

    /// <summary>RBP, nonvolatile.</summary>
    Rbp,

    /// <summary>RSI, nonvolatile.</summary>
    Rsi,

    /// <summary>RDI, nonvolatile.</summary>
    Rdi,

    /// <summary>R8.</summary>
    R8,

    /// <summary>R9.</summary>
    R9,

    /// <summary>R10.</summary>
    R10,

    /// <summary>R11.</summary>
    R11,

    /// <summary>R12, nonvolatile.</summary>
    R12,

    /// <summary>R13, nonvolatile.</summary>
    R13,

    /// <summary>R14, nonvolatile.</summary>
    R14,

    /// <summary>R15, nonvolatile.</summary>
    R15,
}
