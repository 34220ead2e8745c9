using System.Collections.Immutable;
using System.Runtime.InteropServices;
using Dump.Model.Process;
using Dump.Readers.Unwinding.Dwarf;

namespace Dump.Readers.ElfCore;

/// <summary>
/// What Linux keeps of a thread of one architecture: which registers, in which order, and which of them have the arguments of system calls. All else that
/// differs by architecture is found by this.
/// </summary>
public sealed class LinuxMachine
{
    /// <summary>
    /// x86-64: <c>user_regs_struct</c> of 27 words. Sources: Linux arch/x86/include/asm/user_64.h, syscall(2), System V ABI for x86-64, figures 3.4 and 3.36.
    /// </summary>
    public static LinuxMachine X64 { get; } = new()
    {
        Architecture = ProcessorArchitecture.X64,
        Number = ElfCoreLayout.MachineX64,
        Name = "x64",
        RegisterCount = ElfCoreLayout.RegisterCount,
        StatusSize = ElfCoreLayout.StatusSize,
        InstructionPointer = ElfCoreLayout.RegisterRip,
        StackPointer = ElfCoreLayout.RegisterRsp,
        ThreadPointer = ElfCoreLayout.RegisterFsBase,
        Call = ElfCoreLayout.RegisterOriginalRax,
        CallName = "orig_rax",
        TellsCall = true,
        Arguments =
        [
            ("rdi", ElfCoreLayout.RegisterRdi), ("rsi", ElfCoreLayout.RegisterRsi), ("rdx", ElfCoreLayout.RegisterRdx), ("r10", ElfCoreLayout.RegisterR10),
            ("r8", ElfCoreLayout.RegisterR8),
        ],
        Preserved =
        [
            ElfCoreLayout.RegisterRbx, ElfCoreLayout.RegisterRbp, ElfCoreLayout.RegisterR12, ElfCoreLayout.RegisterR13, ElfCoreLayout.RegisterR14,
            ElfCoreLayout.RegisterR15,
        ],
        Dwarf = DwarfRegisters.X64,
        DwarfPlaces =
        [
            ElfCoreLayout.RegisterRax, ElfCoreLayout.RegisterRdx, ElfCoreLayout.RegisterRcx, ElfCoreLayout.RegisterRbx, ElfCoreLayout.RegisterRsi,
            ElfCoreLayout.RegisterRdi, ElfCoreLayout.RegisterRbp, ElfCoreLayout.RegisterRsp, ElfCoreLayout.RegisterR8, ElfCoreLayout.RegisterR9,
            ElfCoreLayout.RegisterR10, ElfCoreLayout.RegisterR11, ElfCoreLayout.RegisterR12, ElfCoreLayout.RegisterR13, ElfCoreLayout.RegisterR14,
            ElfCoreLayout.RegisterR15, ElfCoreLayout.RegisterRip,
        ],
    };

    /// <summary>
    /// ARM64: <c>user_pt_regs</c> of 34 words, which are X0 to X30, SP, PC and PSTATE. The kernel keeps the number of the call beside them, and forgets it when a
    /// signal is about to be delivered, which is when cores are written and debuggers look. Sources: Linux arch/arm64/include/uapi/asm/ptrace.h,
    /// kernel/signal.c (do_signal), syscall(2), DWARF for the Arm 64-bit Architecture (AADWARF64), Procedure Call Standard (AAPCS64). Checked on cores of Linux 6.1.
    /// </summary>
    public static LinuxMachine Arm64 { get; } = new()
    {
        Architecture = ProcessorArchitecture.Arm64,
        Number = ElfCoreLayout.MachineArm64,
        Name = "ARM64",
        RegisterCount = ElfCoreLayout.Arm64RegisterCount,
        StatusSize = ElfCoreLayout.Arm64StatusSize,
        InstructionPointer = ElfCoreLayout.RegisterPc,
        StackPointer = ElfCoreLayout.RegisterSp,
        Call = 8,
        CallName = "x8",
        Arguments = [("x0", 0), ("x1", 1), ("x2", 2), ("x3", 3), ("x4", 4)],
        Preserved = [.. Enumerable.Range(19, 11)],
        Dwarf = DwarfRegisters.Arm64,
        DwarfPlaces = [.. Enumerable.Range(0, 32)],
    };

    /// <summary>That of this program itself.</summary>
    public static LinuxMachine OfThisProcess { get; } = RuntimeInformation.ProcessArchitecture == System.Runtime.InteropServices.Architecture.Arm64 ? Arm64 : X64;

    private LinuxMachine()
    {
    }

    /// <summary>Architecture.</summary>
    public ProcessorArchitecture Architecture { get; private init; }

    /// <summary>Number in the header of ELF files (<c>e_machine</c>).</summary>
    public ushort Number { get; private init; }

    /// <summary>Its name in messages.</summary>
    public string Name { get; private init; } = "";

    /// <summary>Number of 8-byte words of NT_PRSTATUS that are registers.</summary>
    public int RegisterCount { get; private init; }

    /// <summary>Size of <c>struct elf_prstatus</c> in bytes.</summary>
    internal int StatusSize { get; private init; }

    /// <summary>Place of the address of the next instruction.</summary>
    internal int InstructionPointer { get; private init; }

    /// <summary>Place of the stack pointer.</summary>
    internal int StackPointer { get; private init; }

    /// <summary>Place of the address of the thread's own data; null where a note of its own has that.</summary>
    internal int? ThreadPointer { get; private init; }

    /// <summary>Place of the number of a system call.</summary>
    internal int Call { get; private init; }

    /// <summary>Name of that register.</summary>
    internal string CallName { get; private init; } = "";

    /// <summary>True where the registers tell whether a thread is in a system call; else the instruction does at which it stands.</summary>
    internal bool TellsCall { get; private init; }

    /// <summary>Names and places of the first five arguments of system calls.</summary>
    internal ImmutableArray<(string Name, int Place)> Arguments { get; private init; }

    /// <summary>Places of the registers that functions preserve, the frame pointer among them, the stack pointer aside.</summary>
    internal ImmutableArray<int> Preserved { get; private init; }

    /// <summary>How call-frame information numbers the registers.</summary>
    internal DwarfRegisters Dwarf { get; private init; } = DwarfRegisters.X64;

    /// <summary>Places of the registers that it follows, by its numbers.</summary>
    internal ImmutableArray<int> DwarfPlaces { get; private init; }

    /// <summary>The machine with a number in the header of a 64-bit ELF file, or null for one that is not read.</summary>
    /// <param name="number">The number.</param>
    public static LinuxMachine? Find(ushort number) => number == X64.Number ? X64 : number == Arm64.Number ? Arm64 : null;

    /// <summary>The machine of an architecture; that of x64 for any other.</summary>
    /// <param name="architecture">The architecture.</param>
    public static LinuxMachine Of(ProcessorArchitecture architecture) => architecture == ProcessorArchitecture.Arm64 ? Arm64 : X64;

    /// <summary>Names of some arguments of system calls, as evidence lists them.</summary>
    /// <param name="arguments">Their numbers from 0 on.</param>
    internal string Named(params int[] arguments) => string.Join(", ", arguments.Select(a => Arguments[a].Name));

    /// <inheritdoc/>
    public override string ToString() => Name;
}
