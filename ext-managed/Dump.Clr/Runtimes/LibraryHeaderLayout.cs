namespace Dump.Clr.Runtimes;

/// <summary>What tells the processor that a library is for: elf.h (Elf64_Ehdr) and winnt.h (IMAGE_DOS_HEADER, IMAGE_FILE_HEADER).</summary>
internal static class LibraryHeaderLayout
{
    /// <summary>Bytes of a file that are looked at.</summary>
    public const int Read = 4_096;

    /// <summary>e_machine.</summary>
    public const int ElfMachine = 18;

    /// <summary>EM_X86_64.</summary>
    public const ushort ElfX64 = 62;

    /// <summary>EM_AARCH64.</summary>
    public const ushort ElfArm64 = 183;

    /// <summary>e_lfanew.</summary>
    public const int ImageStart = 0x3C;

    /// <summary>Machine, behind the signature.</summary>
    public const int ImageMachine = 4;

    /// <summary>IMAGE_FILE_MACHINE_AMD64.</summary>
    public const ushort ImageX64 = 0x8664;

    /// <summary>IMAGE_FILE_MACHINE_ARM64.</summary>
    public const ushort ImageArm64 = 0xAA64;
}
