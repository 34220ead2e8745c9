using System.Collections.Immutable;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Waits;
using Dump.Readers.ElfCore;

namespace Dump.Readers.Linux;

/// <summary>Reads the native half of a Linux process or core: threads, system calls, mapped files.</summary>
public static class LinuxSnapshotReader
{
    // signal(7): those whose siginfo has the address that was accessed.
    private const int BusError = 7;
    private const int SegmentationFault = 11;

    /// <summary>Reads that of a core.</summary>
    /// <param name="core">The opened core.</param>
    /// <param name="displayName">Its name for people.</param>
    public static ProcessSnapshot Read(ElfCoreFile core, string displayName) => Read(
        new LinuxProcessData(core.Architecture, core.ProcessId, core.ProcessName, core.Threads, core.MappedFiles, core.Problems),
        new SourceDescription(SafeText.Clean(displayName), KindOf(core.Writer), core.FileSize, core.Captured, null)) with
    {
        Exception = core.Signal is { } signal ? Exception(core, signal) : null,
        ProcessStart = core.ProcessStart,
        Machine = LinuxHostName.Read(core, core.ProgramPathAddress),
        Missing = MissingFileMemory.Of(core) is { } missing ? [missing] : [],
    };

    /// <summary>Reads that of a process.</summary>
    /// <param name="core">What is known of it.</param>
    /// <param name="source">Where that comes from.</param>
    public static ProcessSnapshot Read(LinuxProcessData core, SourceDescription source)
    {
        ImmutableArray<ModuleSnapshot> modules = Modules(core);
        bool timesAreWritten = core.Threads.Any(t => t.UserTime + t.SystemTime > TimeSpan.Zero);
        return new ProcessSnapshot
        {
            Source = source,
            System = new SystemDescription(core.Architecture, 0, 0, 0, null, false,
                $"Linux {core.Architecture.ToString().ToLowerInvariant()}") { Family = OperatingSystemFamily.Linux },
            ProcessId = core.ProcessId,
            ProcessName = core.ProcessName,
            Threads = [.. core.Threads.Select(t => Thread(core, modules, t, timesAreWritten))],
            Modules = modules,

            // One frame a thread is no stack: only the managed half can add some.
            Available = new DataAvailability(Stacks: false, timesAreWritten, true, true, true, true, true),
            Problems = [.. core.Problems],
        };
    }

    private static RecordedException Exception(ElfCoreFile core, ElfSignal signal) => new(signal.ThreadId)
    {
        Signal = signal.Number,
        SignalCode = signal.Code,
        SenderProcessId = signal.Code <= 0 ? (uint)signal.Value : null,
        Address = core.Threads.FirstOrDefault(t => t.Id == signal.ThreadId)?.InstructionPointer,
        AccessedAddress = signal is { Code: > 0, Number: BusError or SegmentationFault } ? signal.Value : null,
    };

    private static string KindOf(ElfCoreWriter writer) => writer switch
    {
        ElfCoreWriter.Kernel => "Linux core (written by the kernel)",
        ElfCoreWriter.Debugger => "Linux core (written by gcore)",
        _ => "Linux core",
    };

    private static ThreadSnapshot Thread(LinuxProcessData core, ImmutableArray<ModuleSnapshot> modules, ElfThread thread, bool timesAreWritten) => new()
    {
        Id = thread.Id,
        Index = thread.Index,
        Activity = LinuxThreadActivity.Of(thread),
        KernelWait = LinuxThreadActivity.Limit(thread),
        Times = timesAreWritten ? Times(core, thread) : null,
        Stack = thread is { InstructionPointer: { } ip, StackPointer: { } sp }
            ? new ThreadStack([Frame(core, modules, ip, sp)], StackEnd.UnwindInfoMissing)
            : ThreadStack.None,
    };

    /// <summary>A kernel writes the whole process' time into its first thread (seen on Linux 6.1): what the others used is taken off it.</summary>
    private static ThreadTimes Times(LinuxProcessData core, ElfThread thread)
    {
        if (thread.Index != 0)
        {
            return new ThreadTimes(thread.SystemTime, thread.UserTime, null, null);
        }

        TimeSpan user = thread.UserTime - Sum(core, t => t.UserTime);
        TimeSpan kernel = thread.SystemTime - Sum(core, t => t.SystemTime);
        return new ThreadTimes(kernel < TimeSpan.Zero ? thread.SystemTime : kernel, user < TimeSpan.Zero ? thread.UserTime : user, null, null);
    }

    private static TimeSpan Sum(LinuxProcessData core, Func<ElfThread, TimeSpan> time) =>
        core.Threads.Skip(1).Aggregate(TimeSpan.Zero, (sum, t) => sum + time(t));

    private static StackFrame Frame(LinuxProcessData core, ImmutableArray<ModuleSnapshot> modules, ulong instructionPointer, ulong stackPointer)
    {
        // By the mapping itself: between the mappings of one file there can be others'.
        string? file = core.MappedFiles.FirstOrDefault(f => instructionPointer >= f.Start && instructionPointer < f.End)?.Path;
        ModuleSnapshot? module = file is null ? null : modules.FirstOrDefault(m => m.Path == file);
        return new StackFrame(
            instructionPointer, stackPointer, module?.Name, module is null ? null : instructionPointer - module.BaseAddress, null, null,
            FrameTrust.Context, SymbolSource.None);
    }

    private static ImmutableArray<ModuleSnapshot> Modules(LinuxProcessData core) =>
    [
        .. core.MappedFiles
            .GroupBy(f => f.Path, StringComparer.Ordinal)
            .Select(g => Module(g.Key, g.Min(f => f.Start), g.Max(f => f.End)))
            .OrderBy(m => m.BaseAddress),
    ];

    private static ModuleSnapshot Module(string path, ulong start, ulong end)
    {
        string name = path[(path.LastIndexOf('/') + 1)..];
        bool isSystem = path.StartsWith("/lib", StringComparison.Ordinal) || path.StartsWith("/usr/lib", StringComparison.Ordinal);
        return new ModuleSnapshot(name, path, start, end - start, 0, null, isSystem);
    }
}
