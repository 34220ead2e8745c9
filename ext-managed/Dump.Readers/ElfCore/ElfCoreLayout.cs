namespace Dump.Readers.ElfCore;

/// <summary>
/// Offsets and constants of ELF core files of 64-bit Linux. Sources: System V ABI, chapters 4 and 5 (ELF header, program header, note);
/// Linux include/uapi/linux/elf.h (note types), include/linux/elfcore.h (elf_prstatus, elf_prpsinfo), fs/binfmt_elf.c (NT_FILE), arch/x86 user_regs_struct, arch/arm64
/// user_pt_regs.
/// </summary>
internal static class ElfCoreLayout
{
    public const int HeaderSize = 64;
    public const int Class = 4;
    public const byte Class64 = 2;
    public const int DataEncoding = 5;
    public const byte LittleEndian = 1;
    public const byte Version = 1;
    public const int Type = 16;
    public const ushort TypeCore = 4;
    public const int Machine = 18;
    public const ushort MachineX64 = 62;
    public const ushort MachineArm64 = 183;
    public const int FileVersion = 20;
    public const int HeaderLength = 52;
    public const int ProgramHeaderOffset = 32;
    public const int SectionHeaderOffset = 40;
    public const int ProgramHeaderEntrySize = 54;
    public const int ProgramHeaderCount = 56;

    /// <summary>PN_XNUM: the real count stands in sh_info of section header 0.</summary>
    public const ushort ExtendedCount = 0xFFFF;
    public const int SectionInfo = 44;

    public const int ProgramHeaderSize = 56;
    public const int SegmentType = 0;
    public const int SegmentFlags = 4;
    public const int SegmentFileOffset = 8;
    public const int SegmentAddress = 16;
    public const int SegmentFileSize = 32;
    public const int SegmentMemorySize = 40;
    public const int SegmentAlignment = 48;
    public const uint SegmentLoad = 1;
    public const uint SegmentNote = 4;

    public const int NoteHeaderSize = 12;
    public const uint NoteThreadStatus = 1;
    public const uint NoteProcessInformation = 3;
    public const uint NoteAuxiliaryVector = 6;
    public const uint NoteMappedFiles = 0x46494C45;
    public const uint NoteSignal = 0x53494749;

    /// <summary>
    /// Notes of the owner LINUX on a thread of ARM64 (arch/arm64/kernel/ptrace.c): TPIDR_EL0 first; the number of the system call, -1 for none, which is -1 as
    /// well once a signal is about to be delivered; the bits of addresses of data and of code that a pointer authentication code takes.
    /// </summary>
    public const uint NoteArm64ThreadPointer = 0x401;
    public const uint NoteArm64SystemCall = 0x404;
    public const uint NoteArm64AuthenticationMask = 0x406;
    public const int AuthenticationMaskOfCode = 8;
    public const int AuthenticationMaskSize = 16;

    /// <summary>
    /// Owner and type of the note that dumpanalyze live --keep adds: milliseconds since 1970 (UTC) of the
    /// capture, and milliseconds from the system's start to the process'.
    /// </summary>
    public const string CaptureOwner = "DUMP";
    public const uint NoteCapture = 0x44554D50;
    public const int CaptureMoment = 0;
    public const int CaptureProcessStart = 8;
    public const int CaptureSize = 16;

    /// <summary>
    /// Type of the note that it adds on threads, by the same owner; of each one its id, its processor time in user and in kernel mode in units of 100 ns, and how often it
    /// had given up the processor before it was stopped and as it stood (both negative where that was not counted), 8 bytes each.
    /// </summary>
    public const uint NoteThreads = 0x44554D51;
    public const int CountedThreadId = 0;
    public const int CountedUserTime = 8;
    public const int CountedSystemTime = 16;
    public const int CountedSwitchesBeforeStop = 24;
    public const int CountedSwitchesAtStop = 32;
    public const int CountedThreadSize = 40;

    /// <summary><c>siginfo_t</c> of x86-64 (asm-generic/siginfo.h): between reason and value stand four bytes that are 0.</summary>
    public const int SignalNumber = 0;
    public const int SignalError = 4;
    public const int SignalCode = 8;
    public const int SignalPadding = 12;
    public const int SignalValue = 16;
    public const int SignalSize = 24;

    /// <summary><c>pr_cursig</c>, 16 bits: in a core that a signal made the kernel write, that signal, in the first thread's state (fs/binfmt_elf.c).</summary>
    public const int StatusSignal = 12;
    public const int StatusThreadId = 32;
    public const int StatusParentId = 36;
    public const int StatusGroupId = 40;
    public const int StatusSessionId = 44;
    public const int StatusUserTime = 48;
    public const int StatusSystemTime = 64;
    public const int StatusRegisters = 112;
    public const int StatusSize = 336;
    public const int Arm64StatusSize = 392;

    /// <summary>Indices into user_regs_struct of x86-64, in 8-byte words.</summary>
    public const int RegisterCount = 27;
    public const int RegisterR15 = 0;
    public const int RegisterR14 = 1;
    public const int RegisterR13 = 2;
    public const int RegisterR12 = 3;
    public const int RegisterRbp = 4;
    public const int RegisterRbx = 5;
    public const int RegisterR11 = 6;
    public const int RegisterR10 = 7;
    public const int RegisterR9 = 8;
    public const int RegisterR8 = 9;
    public const int RegisterRax = 10;
    public const int RegisterRcx = 11;
    public const int RegisterRdx = 12;
    public const int RegisterRsi = 13;
    public const int RegisterRdi = 14;
    public const int RegisterOriginalRax = 15;
    public const int RegisterRip = 16;
    public const int RegisterRsp = 19;
    public const int RegisterFsBase = 21;

    /// <summary>Indices into user_pt_regs of ARM64, in 8-byte words: X0 to X30 come first.</summary>
    public const int Arm64RegisterCount = 34;
    public const int RegisterSp = 31;
    public const int RegisterPc = 32;

    /// <summary>Flags of the first thread, 8 bytes (include/linux/sched.h).</summary>
    public const int ProcessFlags = 8;

    /// <summary><c>PF_FORKNOEXEC</c>: it was forked and has not executed a program since.</summary>
    public const ulong ForkedCopy = 0x40;
    public const int ProcessUserId = 16;
    public const int ProcessId = 24;
    public const int ProcessParentId = 28;
    public const int ProcessGroupId = 32;
    public const int ProcessSessionId = 36;
    public const int ProcessFileName = 40;
    public const int ProcessFileNameLength = 16;
    public const int ProcessArguments = 56;
    public const int ProcessArgumentsLength = 80;
    public const int ProcessInformationSize = 136;

    /// <summary>
    /// Pairs of 8-byte words in the auxiliary vector (include/uapi/linux/auxvec.h): AT_EXECFN has the address of the program's path on the initial stack,
    /// AT_PHDR that of its program headers, in the first page of its file, AT_SYSINFO_EHDR that of the library that the kernel maps (vdso(7)).
    /// </summary>
    public const int AuxiliaryPairSize = 16;
    public const ulong AuxiliaryProgramPath = 31;
    public const ulong AuxiliaryProgramHeaders = 3;
    public const ulong AuxiliarySystemLibrary = 33;

    public const int MappedFileHeaderSize = 16;
    public const int MappedFileEntrySize = 24;
}
