namespace Dump.Readers.Windows.Layouts;

/// <summary>
/// Where a 64-bit process keeps its 32-bit side. Sources: WOW64_CONTEXT in Microsoft's documentation of winnt.h (slot 1 of thread local storage points to a
/// structure with the context at offset 4); WOW64_CPURESERVED and TEB in System Informer's phnt headers; the older rule for the 32-bit TEB (NtTib.ExceptionList
/// of the 64-bit one) in the Windows Research Kernel's wow64t.h.
/// </summary>
/// <param name="abi">Pointer size and version of the 64-bit side.</param>
internal sealed class Wow64Layout(WindowsAbi abi)
{
    /// <summary>NtTib.ExceptionList of the 64-bit TEB: the 32-bit TEB's address.</summary>
    public const int TebExceptionList = 0x0;

    /// <summary>WowTebOffset of the 64-bit TEB: signed distance to the 32-bit TEB; 0 in a thread without one. Wine fills it too.</summary>
    public int? TebWowTebOffset { get; } = abi.Offset(x64: 0x180C, x86: 0xFDC, since: WindowsVersions.Windows10, inWine: true);

    /// <summary>TlsSlots[1] (WOW64_TLS_CPURESERVED) of the 64-bit TEB.</summary>
    public const int TebCpuReserved = 0x1480 + sizeof(ulong);

    /// <summary>WOW64_CPURESERVED.Machine.</summary>
    public const int CpuMachine = 2;

    /// <summary>The 32-bit CONTEXT in WOW64_CPURESERVED.</summary>
    public const int CpuContext = 4;

    /// <summary>CONTEXT_i386: the bit that every 32-bit CONTEXT has in its flags.</summary>
    public const uint ContextIsX86 = 0x10000;
}
