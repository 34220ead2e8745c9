using Dump.Model.Process;
using Dump.Readers.ElfCore;

namespace Dump.Readers.Linux;

/// <summary>What a core, or a look at a living process, tells of a Linux process besides its memory.</summary>
/// <param name="Architecture">Processor architecture.</param>
/// <param name="ProcessId">Process id, or null when not recorded.</param>
/// <param name="ProcessName">First 15 characters of the program's name (sanitised), or null.</param>
/// <param name="Threads">Its threads; the processor time of the first is that of the whole process, as a kernel writes it.</param>
/// <param name="MappedFiles">File mappings by address.</param>
/// <param name="Problems">What was wrong with the input.</param>
public sealed record LinuxProcessData(
    ProcessorArchitecture Architecture,
    uint? ProcessId,
    string? ProcessName,
    IReadOnlyList<ElfThread> Threads,
    IReadOnlyList<ElfMappedFile> MappedFiles,
    IReadOnlyList<ReaderProblem> Problems)
{
    /// <summary>Id of its first thread as the process knows it; null where that is the process id.</summary>
    public uint? FirstThread { get; init; }

    /// <summary>The signal that a core was written for, its thread named as in <see cref="Threads"/>; null for none, and for a living process.</summary>
    public RecordedException? Exception { get; init; }

    /// <summary>Mappings by address, with what may be executed; empty where they are not needed, as of a living process.</summary>
    public IReadOnlyList<ElfSegment> Segments { get; init; } = [];

    /// <summary>Address of the library that the kernel maps into each process, which is no file (AT_SYSINFO_EHDR); null when not known.</summary>
    public ulong? SystemLibrary { get; init; }
}
