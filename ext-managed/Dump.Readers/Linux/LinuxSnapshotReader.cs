using System.Collections.Immutable;
using System.Text;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Waits;
using Dump.Model.Wording;
using Dump.Readers.Elf;
using Dump.Readers.ElfCore;
using Dump.Readers.Files;
using Dump.Readers.Linux.Locks;

namespace Dump.Readers.Linux;

/// <summary>Reads the native half of a Linux process or core: threads, system calls, mapped files.</summary>
public static class LinuxSnapshotReader
{
    // signal(7): those whose siginfo has the address that was accessed.
    private const int BusError = 7;

    /// <summary>Reads that of a core.</summary>
    /// <param name="core">The opened core.</param>
    /// <param name="displayName">Its name for people.</param>
    /// <param name="container">Its threads by the ids inside of their container; null for those in the core.</param>
    /// <param name="imageDirectories">Directories that the user names for files of programs and libraries.</param>
    public static ProcessSnapshot Read(
        ElfCoreFile core, string displayName, ContainerCore? container = null, IReadOnlyList<string>? imageDirectories = null) => WithUnknownFiles(Read(
        new LinuxProcessData(
            core.Architecture, core.ProcessId, core.ProcessName, container?.Threads ?? core.Threads, core.MappedFiles, core.Problems)
        {
            FirstThread = container?.Threads.FirstOrDefault(t => core.Threads[t.Index].Id == core.ProcessId)?.Id,
            SystemLibrary = core.SystemLibraryAddress,
            Exception = core.Signal is { } signal ? Exception(core, signal, container) : null,
            Segments = core.Segments,
        },
        new SourceDescription(
            SafeText.Clean(displayName), $"{KindOf(core.Writer)}{(container is null ? "" : " of a container (threads by their ids inside of it)")}",
            core.FileSize, core.Captured, null),
        core,
        FilesOf(core, imageDirectories))) with
    {
        ProcessStart = core.ProcessStart,
        IsForkedCopy = core.IsForkedCopy,
        Machine = LinuxHostName.Read(core, core.ProgramPathAddress),
        Missing = MissingFileMemory.Of(core) is { } missing ? [missing] : [],
    };

    /// <summary>Reads that of a process.</summary>
    /// <param name="core">What is known of it.</param>
    /// <param name="source">Where that comes from.</param>
    /// <param name="memory">Its memory; null where it cannot be read, so that stacks and locks stay unknown.</param>
    /// <param name="found">Where the files that the process has mapped are found here; null for where it has them, those of root and of this user.</param>
    public static ProcessSnapshot Read(
        LinuxProcessData core, SourceDescription source, IMemory? memory = null, ImageFiles? found = null)
    {
        using LinuxMoment moment = LinuxMoment.Read(core, source, memory, found ?? new ImageFiles(owners: FileOwners.With()));
        return moment.Named(moment.Snapshot);
    }

    /// <summary>Where the files are found that a core names: those of root, of this user and of the core's owner count.</summary>
    internal static ImageFiles FilesOf(ElfCoreFile core, IReadOnlyList<string>? imageDirectories) =>
        new(imageDirectories, null, FileOwners.With(core.Owner is { } owner ? [owner] : []));

    private static ProcessSnapshot WithUnknownFiles(ProcessSnapshot read) => read with
    {
        ResourceStates = read.ResourceStates.SetItems(
            read.Waits.Select(w => w.Resource).Where(r => r.Kind is ResourceKind.FileDescriptor or ResourceKind.FileLock).Distinct()
                .Select(r => KeyValuePair.Create(r, r.Kind == ResourceKind.FileLock
                    ? "of which file and who holds it, a core does not tell" : "of what, a core does not tell"))),
    };

    private static RecordedException Exception(ElfCoreFile core, ElfSignal signal, ContainerCore? container) =>
        new(container?.Threads.FirstOrDefault(t => core.Threads[t.Index].Id == signal.ThreadId)?.Id ?? signal.ThreadId)
    {
        Signal = signal.Number,
        SignalCode = signal.Code,
        SenderProcessId = signal.Code <= 0 ? (uint)signal.Value : null,
        Address = core.Threads.FirstOrDefault(t => t.Id == signal.ThreadId)?.InstructionPointer,
        AccessedAddress = signal is { Code: > 0 and not LinuxSignals.SentByKernel, Number: BusError or LinuxSignals.SegmentationFault } ? signal.Value : null,
    };

    private static string KindOf(ElfCoreWriter writer) => writer switch
    {
        ElfCoreWriter.Kernel => "Linux core (written by the kernel)",
        ElfCoreWriter.Debugger => "Linux core (written by gcore)",
        _ => "Linux core",
    };
}

/// <summary>
/// The name of the machine: the variable HOSTNAME of the environment with which the process was started. Of the other variables, which may hold secrets,
/// nothing is kept. Its text stands between the arguments and the program's path, to which the auxiliary vector points (Linux, fs/exec.c and fs/binfmt_elf.c:
/// copy_strings of file name, environment and arguments, downwards from the stack's end).
/// </summary>
internal static class LinuxHostName
{
    private const ulong PageSize = 4096;
    private const int MostPages = 64;
    private const int LongestName = 255;

    /// <summary>Reads it; null when that memory is not in the core, or has no such variable in the last 256 KiB before the path.</summary>
    /// <param name="memory">The process' memory.</param>
    /// <param name="programPath">Address of the program's path, from AT_EXECFN, or null.</param>
    public static string? Read(IMemory memory, ulong? programPath)
    {
        if (programPath is not { } end || end < PageSize)
        {
            return null;
        }

        byte[] bytes = new byte[MostPages * (int)PageSize];
        int start = bytes.Length;
        ulong page = end & ~(PageSize - 1);
        for (ulong top = end; start > 0 && top > PageSize; top = page, page -= PageSize)
        {
            int length = Math.Min(start, (int)(top - page));
            if (length > 0 && !memory.TryRead(top - (ulong)length, bytes.AsSpan(start - length, length)))
            {
                break;
            }

            start -= length;
        }

        return Find(bytes.AsSpan(start));
    }

    /// <summary>The last text of that form: arguments stand in front of the environment.</summary>
    private static string? Find(ReadOnlySpan<byte> block)
    {
        ReadOnlySpan<byte> variable = "\0HOSTNAME="u8;
        int at = block.LastIndexOf(variable);
        if (at < 0)
        {
            return null;
        }

        ReadOnlySpan<byte> value = block[(at + variable.Length)..];
        int length = value.IndexOf((byte)0);
        return length is > 0 and <= LongestName ? SafeText.Clean(Encoding.UTF8.GetString(value[..length]), LongestName) : null;
    }
}

/// <summary>
/// Finds out that a core does not list its mapped files, or lacks the memory of mapped files, among it the .NET runtime's own code and data. Kernel and
/// gcore leave it out by default: bits 2 and 3 of /proc/PID/coredump_filter (core(5)) are not set in its default
/// 0x33. The kernel keeps the first page of each library. createdump chooses pages by itself and is not judged, except where
/// the runtime may lie inside of the program, which it does not know of.
/// </summary>
internal static class MissingFileMemory
{

    /// <summary>What is missing, or null when it is not, or the process has no .NET runtime.</summary>
    public static MissingData? Of(ElfCoreFile core)
    {
        if (core.MappedFiles.Count == 0)
        {
            return MissingData.Of(core.NotesAreCut ? MissingKind.NotesOfCore : MissingKind.MappedFileList);
        }

        if (!core.MappedFiles.Any(IsRuntime))
        {
            return OfProgram(core);
        }

        if (core.Writer == ElfCoreWriter.CreateDumpOrUnknown || core.MappedFiles.Where(IsRuntime).All(f => IsReadable(core, f.End - 1)))
        {
            return null;
        }

        return MissingData.Of(MissingKind.MappedFileMemory, detail: core.Writer == ElfCoreWriter.Debugger ? "gcore" : "the kernel");
    }

    /// <summary>
    /// A program in a single file exports where its runtime is in the pages that follow its first one (the same mapping: dynamic symbols come first).
    /// </summary>
    private static MissingData? OfProgram(ElfCoreFile core) =>
        core.ProgramHeadersAddress is not { } headers || core.MappedFiles.FirstOrDefault(f => headers >= f.Start && headers < f.End) is not { } program
            || IsReadable(core, program.End - 1)
            ? null
            : MissingData.Of(MissingKind.RuntimeInProgram);

    private static bool IsRuntime(ElfMappedFile file) => ClrLibrary.Is(file.Path);

    private static bool IsReadable(ElfCoreFile core, ulong address)
    {
        Span<byte> one = stackalloc byte[1];
        return core.Read(address, one) == 1;
    }
}

/// <summary>
/// A core of a .NET process in a container that a debugger wrote outside of it: its threads have the ids that are known there, and the runtime knows them by
/// others. Those stand in the descriptors that the C library keeps of all threads.
/// </summary>
/// <param name="Threads">The threads by their ids inside of the container.</param>
/// <param name="Changes">Bytes of the file that differ then, by their places.</param>
public sealed record ContainerCore(ImmutableArray<ElfThread> Threads, ImmutableArray<(long Place, uint Id)> Changes)
{

    /// <summary>Reads them.</summary>
    /// <param name="core">The core.</param>
    /// <param name="imageDirectories">Directories that the user names for files of programs and libraries.</param>
    /// <returns>The threads; null for a core of another writer or program, and where not each thread is known by another id inside.</returns>
    public static ContainerCore? Of(ElfCoreFile core, IReadOnlyList<string>? imageDirectories = null)
    {
        if (core.Writer != ElfCoreWriter.Debugger || core.Threads.Count < 2
            || !(core.MappedFiles.Any(f => ClrLibrary.Is(f.Path)) || ProgramHoldsRuntime(core, imageDirectories)))
        {
            return null;
        }

        ThreadDescriptors descriptors = new(core, core.Threads);
        Dictionary<int, uint> ids = descriptors.ByOwnId.ToDictionary(d => d.Value.Index, d => d.Key);
        return !descriptors.AreComplete || core.Threads.Any(t => ids[t.Index] == t.Id) ? null
            : new ContainerCore(
                [.. core.Threads.Select(t => t with { Id = ids[t.Index] })], [.. core.Threads.Select(t => (core.ThreadIdPlaces[t.Index], ids[t.Index]))]);
    }

    /// <summary>True for a program in a single file, as the program itself exports; its symbols are in the core or in its file.</summary>
    private static bool ProgramHoldsRuntime(ElfCoreFile core, IReadOnlyList<string>? imageDirectories)
    {
        using ElfImages images = new(core, new ElfMappedFiles(core.MappedFiles), LinuxSnapshotReader.FilesOf(core, imageDirectories));
        return core.ProgramHeadersAddress is { } headers
            && images.Find(headers)?.Image.DynamicTables?.AddressOf(SingleFileRuntimeLayout.Name) is not null;
    }

    /// <summary>The bytes of the core with the ids inside of the container.</summary>
    /// <param name="path">Path of the core.</param>
    public Stream Open(string path) => new ChangedBytesStream(RegularFile.OpenRead(path), [.. Changes.OrderBy(c => c.Place)]);
}
