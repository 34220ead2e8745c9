using System.Text;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Readers.Files;
using Dump.Readers.Minidump;

namespace Dump.Readers.ElfCore;

/// <summary>A Linux core file: threads with registers and system calls, mapped files and memory. Read by what the notes say; safe for concurrent use.</summary>
public sealed class ElfCoreFile : IMemory, IDisposable
{
    private const int OwnerSize = 8;
    private readonly FileBytes _file;
    private readonly ElfSegment[] _segments;

    private ElfCoreFile(FileBytes file, LinuxMachine machine, ElfSegment[] segments, ElfNotes notes, List<ReaderProblem> problems)
    {
        _file = file;
        _segments = segments;
        Machine = machine;
        Threads = notes.Threads;
        ThreadIdPlaces = notes.ThreadIdPlaces;
        MappedFiles = notes.MappedFiles;
        NotesAreCut = notes.AreCut;
        Signal = notes.Signal;
        ProcessId = notes.ProcessId;
        Writer = notes.Writer;
        ProcessName = notes.ProcessName;
        IsForkedCopy = notes.IsForkedCopy;
        Arguments = notes.Arguments;
        Captured = notes.Captured;
        ProcessStart = notes.ProcessStart;
        ProgramPathAddress = notes.ProgramPathAddress;
        ProgramHeadersAddress = notes.ProgramHeadersAddress;
        SystemLibraryAddress = notes.SystemLibraryAddress;
        Problems = problems;
    }

    /// <summary>Processor architecture.</summary>
    public ProcessorArchitecture Architecture => Machine.Architecture;

    /// <summary>Its registers and what else of the format depends on the architecture.</summary>
    public LinuxMachine Machine { get; }

    /// <summary>Threads in the order of the core; the first is the one that the core was written for.</summary>
    public IReadOnlyList<ElfThread> Threads { get; }

    /// <summary>Where in the file the id of each thread stands.</summary>
    internal IReadOnlyList<long> ThreadIdPlaces { get; }

    /// <summary>File mappings by address; empty when the core has no NT_FILE note.</summary>
    public IReadOnlyList<ElfMappedFile> MappedFiles { get; }

    /// <summary>True where the file ends before its notes do, which hold threads and mapped files.</summary>
    public bool NotesAreCut { get; }

    /// <summary>Who wrote it.</summary>
    public ElfCoreWriter Writer { get; }

    /// <summary>The signal that it was written for, or null when none is recorded: a core that somebody asked for.</summary>
    public ElfSignal? Signal { get; }

    /// <summary>Process id, or null when not recorded.</summary>
    public uint? ProcessId { get; }

    /// <summary>First 15 characters of the program's name (sanitised), or null.</summary>
    public string? ProcessName { get; }

    /// <summary>Whether the process runs its parent's program since it was forked, and has executed none of its own; null where that is unknown.</summary>
    public bool? IsForkedCopy { get; }

    /// <summary>First 79 characters of the command line (sanitised), or null.</summary>
    public string? Arguments { get; }

    /// <summary>When the core was captured (UTC), or null: only <c>dumpanalyze live --keep</c> notes it.</summary>
    public DateTime? Captured { get; }

    /// <summary>Milliseconds from the system's start to the process', or null: only <c>dumpanalyze live --keep</c> notes them.</summary>
    public long? ProcessStart { get; }

    /// <summary>Address of the program's path on the initial stack (AT_EXECFN), behind the texts of the environment; null when not recorded.</summary>
    public ulong? ProgramPathAddress { get; }

    /// <summary>Address of the program's own program headers in memory (AT_PHDR); null when not recorded.</summary>
    public ulong? ProgramHeadersAddress { get; }

    /// <summary>Address of the library that the kernel maps into each process (AT_SYSINFO_EHDR); null when not recorded.</summary>
    public ulong? SystemLibraryAddress { get; }

    /// <summary>What was wrong with the file.</summary>
    public IReadOnlyList<ReaderProblem> Problems { get; }

    /// <summary>Size of the file in bytes.</summary>
    public long FileSize => _file.Length;

    /// <summary>User id of the file's owner, or null when it is no file of this system.</summary>
    public uint? Owner => _file.Owner;

    /// <summary>Memory segments by address.</summary>
    public IReadOnlyList<ElfSegment> Segments => _segments;

    /// <summary>True when the file begins like an ELF file.</summary>
    /// <param name="path">Path of the file; an unreadable one is no ELF file.</param>
    public static bool IsElf(string path)
    {
        try
        {
            // Pipes and devices have no length; opening a pipe would wait for a writer.
            if ((File.ResolveLinkTarget(path, returnFinalTarget: true) as FileInfo ?? new FileInfo(path)) is not { Exists: true, Length: > 0 })
            {
                return false;
            }

            using FileStream file = RegularFile.OpenRead(path);
            Span<byte> magic = stackalloc byte[4];
            return file.ReadAtLeast(magic, magic.Length, throwOnEndOfStream: false) == magic.Length
                && magic.SequenceEqual<byte>([0x7F, (byte)'E', (byte)'L', (byte)'F']);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    /// <summary>Opens a core.</summary>
    /// <param name="path">Path of the file.</param>
    /// <param name="limits">Limits; null for the defaults.</param>
    /// <exception cref="InvalidDumpException">The file is no 64-bit little-endian core file or cannot be read.</exception>
    public static ElfCoreFile Open(string path, ReadLimits? limits = null)
    {
        FileBytes file = FileBytes.Open(path);
        try
        {
            return Read(file, SafeText.Clean(Path.GetFileName(path)), limits ?? ReadLimits.Default);
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public int Read(ulong address, Span<byte> destination)
    {
        int done = 0;
        while (done < destination.Length && Find(address + (ulong)done) is { } segment)
        {
            long within = (long)(address + (ulong)done - segment.Address);
            long available = segment.FileSize - within;
            if (available <= 0)
            {
                break;
            }

            int wanted = (int)Math.Min(available, destination.Length - done);
            int read = _file.Read(segment.FileOffset + within, destination.Slice(done, wanted));
            done += read;
            if (read < wanted)
            {
                break;
            }
        }

        return done;
    }

    /// <summary>The segment that holds an address, or null.</summary>
    public ElfSegment? Find(ulong address)
    {
        int last = SortedSearch.CountUpTo<ElfSegment>(_segments, address, s => s.Address) - 1;
        return last >= 0 && address - _segments[last].Address < _segments[last].MemorySize ? _segments[last] : null;
    }

    /// <inheritdoc/>
    public void Dispose() => _file.Dispose();

    private static ElfCoreFile Read(FileBytes file, string name, ReadLimits limits)
    {
        List<ReaderProblem> problems = [];
        LinuxMachine machine = ElfHeader.Check(file, name);
        List<ElfSegment> loads = [];
        ElfNotes notes = new(file, machine, limits, problems);
        foreach ((uint type, ElfSegment segment) in ElfHeader.ReadSegments(file, limits, problems))
        {
            if (type == ElfCoreLayout.SegmentLoad && segment.MemorySize > 0 && segment.Address + (segment.MemorySize - 1) >= segment.Address)
            {
                loads.Add(segment);
            }
            else if (type == ElfCoreLayout.SegmentNote)
            {
                notes.Read(segment.FileOffset, segment.FileSize);
                notes.AreCut |= (ulong)segment.FileSize < segment.MemorySize;
                RefuseOtherSystem(file, name, segment, machine);
            }
        }

        return new ElfCoreFile(file, machine, WithoutOverlap(loads, problems), notes, problems);
    }

    /// <summary>Other systems name their notes after themselves (sys/exec_elf.h of NetBSD and OpenBSD, sys/elf_common.h of FreeBSD).</summary>
    private static void RefuseOtherSystem(FileBytes file, string name, ElfSegment notes, LinuxMachine machine)
    {
        Span<byte> owner = stackalloc byte[OwnerSize];
        int size = file.Read(notes.FileOffset + ElfCoreLayout.NoteHeaderSize, owner);
        foreach (string system in (string[])["NetBSD", "OpenBSD", "FreeBSD"])
        {
            if (Encoding.Latin1.GetString(owner[..size]).StartsWith(system, StringComparison.Ordinal))
            {
                throw ElfHeader.Foreign(name, $"{system}, {machine.Name}");
            }
        }
    }

    private static ElfSegment[] WithoutOverlap(List<ElfSegment> segments, List<ReaderProblem> problems)
    {
        List<ElfSegment> kept = new(segments.Count);
        foreach (ElfSegment segment in segments.OrderBy(s => s.Address))
        {
            if (kept.Count > 0 && segment.Address - kept[^1].Address < kept[^1].MemorySize)
            {
                problems.Add(new ReaderProblem("program headers", $"segment at 0x{segment.Address:x} overlaps another; it is left out", segment.Address));
                continue;
            }

            kept.Add(segment);
        }

        return [.. kept];
    }
}

/// <summary>A PT_LOAD segment: a range of process memory.</summary>
/// <param name="Address">First address.</param>
/// <param name="MemorySize">Length of the range in the process, bytes.</param>
/// <param name="FileOffset">Where its content begins in the core.</param>
/// <param name="FileSize">How many bytes of it the core holds; the rest was left out by the writer, it is not zero.</param>
/// <param name="Flags">PF_X 1, PF_W 2, PF_R 4.</param>
public readonly record struct ElfSegment(ulong Address, ulong MemorySize, long FileOffset, long FileSize, uint Flags)
{
    /// <summary>True when the code in it may be executed.</summary>
    public bool IsExecutable => (Flags & 1) != 0;
}
