namespace Dump.Readers.Registers;

/// <summary>General registers in the order of their encoding in instructions.</summary>
public enum X86Register
{
    /// <summary>EAX.</summary>
    Eax,

    /// <summary>ECX.</summary>
    Ecx,

    /// <summary>EDX.</summary>
    Edx,

    /// <summary>EBX, nonvolatile.</summary>
    Ebx,

    /// <summary>ESP, the stack pointer.</summary>
    Esp,

    /// <summary>EBP, nonvolatile; in most functions of the system the frame pointer.</summary>
    Ebp,

    /// <summary>ESI, nonvolatile.</summary>
    Esi,

    /// <summary>EDI, nonvolatile.</summary>
    Edi,
}
