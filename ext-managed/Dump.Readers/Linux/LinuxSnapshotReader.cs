using System.Collections.Immutable;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Waits;
using Dump.Model.Wording;
using Dump.Readers.Elf;
using Dump.Readers.ElfCore;
using Dump.Readers.Files;

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
