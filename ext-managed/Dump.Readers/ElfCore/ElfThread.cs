namespace Dump.Readers.ElfCore;

/// <summary>A thread, from NT_PRSTATUS.</summary>
/// <param name="Id">Kernel thread id.</param>
/// <param name="Index">Position among the core's threads, 0-based.</param>
/// <param name="UserTime">Time in user mode as written. createdump and gcore write zero, which means unknown;
/// a kernel writes the whole process' time into its first thread.</param>
/// <param name="SystemTime">Time in kernel mode, as written.</param>
/// <param name="Registers">user_regs_struct, 27 words of x86-64; empty on other architectures.</param>
public sealed record ElfThread(uint Id, int Index, TimeSpan UserTime, TimeSpan SystemTime, IReadOnlyList<ulong> Registers)
{
    /// <summary>RIP, or null when the registers are not known.</summary>
    public ulong? InstructionPointer => Register(ElfCoreLayout.RegisterRip);

    /// <summary>RSP, or null.</summary>
    public ulong? StackPointer => Register(ElfCoreLayout.RegisterRsp);

    /// <summary>Base of FS: the thread's own descriptor (ELF Handling For Thread-Local Storage, x86-64), or null.</summary>
    public ulong? ThreadPointer => Register(ElfCoreLayout.RegisterFsBase);

    /// <summary>First system-call argument (RDI), or null.</summary>
    public ulong? Argument0 => Register(ElfCoreLayout.RegisterRdi);

    /// <summary>Second system-call argument (RSI), or null.</summary>
    public ulong? Argument1 => Register(ElfCoreLayout.RegisterRsi);

    /// <summary>Third system-call argument (RDX), or null.</summary>
    public ulong? Argument2 => Register(ElfCoreLayout.RegisterRdx);

    /// <summary>Fourth system-call argument (R10; system calls do not use RCX), or null.</summary>
    public ulong? Argument3 => Register(ElfCoreLayout.RegisterR10);

    /// <summary>Fifth system-call argument (R8), or null.</summary>
    public ulong? Argument4 => Register(ElfCoreLayout.RegisterR8);

    /// <summary>The number of the system call that the thread is in, -1 when it executes user code, null when the registers are not known.</summary>
    public long? SystemCall => Register(ElfCoreLayout.RegisterOriginalRax) is { } number ? (long)number : null;

    private ulong? Register(int index) => Registers.Count == ElfCoreLayout.RegisterCount ? Registers[index] : null;
}
