using System.Collections.Immutable;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Waits;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux.Locks;
using Dump.Readers.Linux.Stacks;
using Dump.Readers.Linux.Waits;

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
    public static ProcessSnapshot Read(ElfCoreFile core, string displayName) => WithUnknownFiles(Read(
        new LinuxProcessData(core.Architecture, core.ProcessId, core.ProcessName, core.Threads, core.MappedFiles, core.Problems),
        new SourceDescription(SafeText.Clean(displayName), KindOf(core.Writer), core.FileSize, core.Captured, null), core)) with
    {
        Exception = core.Signal is { } signal ? Exception(core, signal) : null,
        ProcessStart = core.ProcessStart,
        Machine = LinuxHostName.Read(core, core.ProgramPathAddress),
        Missing = MissingFileMemory.Of(core) is { } missing ? [missing] : [],
    };

    /// <summary>Reads that of a process.</summary>
    /// <param name="core">What is known of it.</param>
    /// <param name="source">Where that comes from.</param>
    /// <param name="memory">Its memory; null where it cannot be read, so that stacks and locks stay unknown.</param>
    /// <param name="reachable">Where a file that the process names is found here; null when it has the same files.</param>
    public static ProcessSnapshot Read(
        LinuxProcessData core, SourceDescription source, IMemory? memory = null, Func<string, string>? reachable = null)
    {
        NativeLockFacts locks = memory is null ? NativeLockFacts.None : new NativeLocks(memory, core.Threads, core.MappedFiles).Read();
        ImmutableArray<ModuleSnapshot> modules = Modules(core);
        bool timesAreWritten = core.Threads.Any(t => t.UserTime + t.SystemTime > TimeSpan.Zero);
        using NativeStacks stacks = new(core.Architecture, core.MappedFiles, memory, reachable, modules);
        ImmutableArray<ThreadSnapshot> threads = [.. core.Threads.Select(t => Thread(core, stacks, t, timesAreWritten))];

        // What a managed thread waits for the managed half tells better.
        UnownedWaitFacts unowned = memory is null || !stacks.AreWhole ? UnownedWaitFacts.None
            : new UnownedWaits(memory).Read(core.Threads.Zip(threads.Select(t => t.Stack)), locks);
        return new ProcessSnapshot
        {
            Source = source,
            System = new SystemDescription(core.Architecture, 0, 0, 0, null, false,
                $"Linux {core.Architecture.ToString().ToLowerInvariant()}") { Family = OperatingSystemFamily.Linux },
            ProcessId = core.ProcessId,
            ProcessName = core.ProcessName,
            Threads = threads,
            Modules = modules,
            Waits = [.. locks.Waits, .. unowned.Waits],
            Ownerships = locks.Ownerships,
            ResourceStates = unowned.States.AddRange(locks.States),

            // Where one frame a thread is all there is, only the managed half can add some.
            Available = new DataAvailability(
                threads.Length > 0 && threads.All(t => t.Stack.End is StackEnd.Complete or StackEnd.Limit), timesAreWritten, true, true, true, true, true),
            Problems = [.. core.Problems],
        };
    }

    private static ProcessSnapshot WithUnknownFiles(ProcessSnapshot read) => read with
    {
        ResourceStates = read.ResourceStates.SetItems(
            read.Waits.Select(w => w.Resource).Where(r => r.Kind is ResourceKind.FileDescriptor or ResourceKind.FileLock).Distinct()
                .Select(r => KeyValuePair.Create(r, r.Kind == ResourceKind.FileLock
                    ? "of which file and who holds it, a core does not tell" : "of what, a core does not tell"))),
    };

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

    private static ThreadSnapshot Thread(LinuxProcessData core, NativeStacks stacks, ElfThread thread, bool timesAreWritten) => new()
    {
        Id = thread.Id,
        Index = thread.Index,
        Activity = LinuxThreadActivity.Of(thread),
        KernelWait = LinuxThreadActivity.Limit(thread),
        Times = timesAreWritten ? Times(core, thread) : null,
        Stack = stacks.Of(thread),
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
