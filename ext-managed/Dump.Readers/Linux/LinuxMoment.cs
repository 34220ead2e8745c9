using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Elf;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux.Locks;
using Dump.Readers.Linux.Code;
using Dump.Readers.Linux.Stacks;
using Dump.Readers.Linux.Waits;

namespace Dump.Readers.Linux;

/// <summary>
/// A Linux process at one moment: all that takes its memory is read at once, the names of functions afterwards, so that a process that was stopped for it runs
/// on meanwhile. Symbol tables of large programs take longer to read than everything else.
/// </summary>
internal sealed class LinuxMoment : IDisposable
{
    private readonly NativeStacks _stacks;
    private readonly ElfImages? _images;
    private readonly MomentMemory? _memory;
    private readonly ImmutableArray<RustWait> _rustWaits;

    private LinuxMoment(ProcessSnapshot snapshot, NativeStacks stacks, ElfImages? images, MomentMemory? memory, ImmutableArray<RustWait> rustWaits)
    {
        _rustWaits = rustWaits;
        Snapshot = snapshot;
        _stacks = stacks;
        _images = images;
        _memory = memory;
    }

    /// <summary>The process; of native functions only those of the C and C++ library have their names, which tell waits.</summary>
    public ProcessSnapshot Snapshot { get; }

    /// <summary>The locks of files that its threads wait for.</summary>
    public ImmutableArray<WantedFileLock> FileLocks { get; private init; } = [];

    /// <summary>The files for whose readiness its threads wait.</summary>
    public ImmutableArray<WatchedFiles> Watched { get; private init; } = [];

    /// <summary>Reads it.</summary>
    /// <param name="core">What is known of it.</param>
    /// <param name="source">Where that comes from.</param>
    /// <param name="memory">Its memory; null where it cannot be read, so that stacks and locks stay unknown.</param>
    /// <param name="found">Where the files that the process has mapped are found here.</param>
    public static LinuxMoment Read(LinuxProcessData core, SourceDescription source, IMemory? memory, ImageFiles found)
    {
        IReadOnlyList<ElfMappedFile> mapped = SystemLibrary.Find(memory, core.SystemLibrary) is { } library
            && !core.MappedFiles.Any(f => f.Start < library.End && library.Start < f.End) ? [.. core.MappedFiles, library] : core.MappedFiles;
        ElfMappedFiles files = new(mapped);
        MomentMemory? content = memory is null ? null : new MomentMemory(memory);
        ElfImages? images = content is null ? null : new ElfImages(content, files, found);
        try
        {
            IReadOnlyList<ElfThread> threads = [.. core.Threads.Select(t => WithCall(t, content, images))];
            return Read(core with { MappedFiles = mapped, Threads = threads }, source, files, content, images);
        }
        catch
        {
            images?.Dispose();
            throw;
        }
    }

    private static LinuxMoment Read(LinuxProcessData core, SourceDescription source, ElfMappedFiles files, MomentMemory? memory, ElfImages? images)
    {
        NativeLockFacts candidates = memory is null ? NativeLockFacts.None : new NativeLocks(memory, core.Threads, core.MappedFiles).Read();
        ImmutableArray<ModuleSnapshot> modules = LinuxModules.Of(core.MappedFiles, images);
        bool timesAreWritten = core.Threads.Any(t => t.UserTime + t.SystemTime > TimeSpan.Zero);
        NativeStacks stacks = new(core.Architecture, files, memory is null ? null : (memory, images!), core.Segments, modules,
            [.. candidates.Waits.Select(w => w.ThreadId), .. candidates.Ownerships.Select(o => o.OwnerThreadId)]);
        ImmutableArray<ThreadSnapshot> threads = [.. core.Threads.Select(t => Thread(core, stacks, t, timesAreWritten))];
        NativeLockFacts locks = memory is null ? NativeLockFacts.None
            : new LockCalls(memory, candidates, modules, stacks.FunctionAt).Confirmed(core.Threads.Zip(threads.Select(t => t.Stack)));

        // What a managed thread waits for the managed half tells better.
        UnownedWaitFacts unowned = memory is null || !stacks.AreWhole ? UnownedWaitFacts.None
            : new UnownedWaits(memory, stacks.FunctionAt, stacks.ImageAt).Read(core.Threads.Zip(threads.Select(t => t.Stack)), locks);
        ProcessSnapshot snapshot = new()
        {
            Source = source,
            System = new SystemDescription(core.Architecture, 0, 0, 0, null, false,
                $"Linux {core.Architecture.ToString().ToLowerInvariant()}") { Family = OperatingSystemFamily.Linux },
            ProcessId = core.ProcessId,
            ProcessName = core.ProcessName,
            Exception = core.Exception,
            Threads = threads,
            Modules = modules,
            Waits = [.. locks.Waits, .. unowned.Waits],
            Ownerships = [.. locks.Ownerships, .. unowned.Ownerships],
            ResourceStates = unowned.States.AddRange(locks.States),

            // Where one frame a thread is all there is, only the managed half can add some.
            Available = new DataAvailability(
                stacks.AreWhole && threads.Length > 0 && threads.All(t => t.Stack.End is StackEnd.Complete or StackEnd.Limit),
                timesAreWritten, true, true, true, true, true),
            Problems = [.. core.Problems],
        };
        HashSet<uint> known = [.. snapshot.Waits.Select(w => w.ThreadId)];
        return new LinuxMoment(snapshot, stacks, images, memory, memory is null || !stacks.AreWhole ? [] :
        [
            .. core.Threads.Zip(threads.Select(t => t.Stack)).Where(t => !known.Contains(t.First.Id))
                .Select(t => FutexWait.Of(t.First) is { } wait ? RustWait.Of(wait, t.Second, memory) : null).OfType<RustWait>(),
        ])
        {
            FileLocks = memory is null ? [] : [.. core.Threads.Select(t => WantedFileLock.Of(memory, t)).OfType<WantedFileLock>()],
            Watched = memory is null || !stacks.AreWhole ? [] :
            [
                .. core.Threads.Zip(threads, (t, s) => WatchedFiles.Of(memory, t, LibraryEntry.Of(s.Stack.Frames)?.Function)).OfType<WatchedFiles>(),
            ],
        };
    }

    /// <summary>The moment ends: from now on the process' memory may be another, and only the files of its images are read.</summary>
    public void End()
    {
        _stacks.ReadWhatFilesLack();
        _memory?.End();
    }

    /// <summary>A snapshot of the same threads with the names of their functions, and the waits that only those tell.</summary>
    /// <param name="snapshot">The snapshot, whose stacks are those of <see cref="Snapshot"/>.</param>
    public ProcessSnapshot Named(ProcessSnapshot snapshot)
    {
        ProcessSnapshot named = NamedStacks(snapshot);
        return named with { Problems = [.. named.Problems, .. new[] { _images?.Problem, WorkBudget.Problem }.OfType<ReaderProblem>()] };
    }

    /// <inheritdoc/>
    public void Dispose() => _images?.Dispose();

    private ProcessSnapshot NamedStacks(ProcessSnapshot snapshot)
    {
        if (!_stacks.AreWhole)
        {
            return snapshot with { Threads = [.. snapshot.Threads.Select(t => t with { Stack = _stacks.WithLines(t.Stack) })] };
        }

        ProcessSnapshot named = snapshot with { Threads = [.. snapshot.Threads.Select(t => t with { Stack = _stacks.Named(t.Index, t.Stack) })] };
        Dictionary<uint, ThreadStack> stacks = named.Threads.DistinctBy(t => t.Id).ToDictionary(t => t.Id, t => t.Stack);
        (WaitFact Wait, string State)[] waits =
        [
            .. _rustWaits.Select(w => stacks.TryGetValue(w.ThreadId, out ThreadStack? stack) ? w.Named(stack.Frames) : null)
                .OfType<(WaitFact Wait, string State)>(),
        ];
        return named with
        {
            Exception = named.Exception is { ThreadId: { } signalled } exception && named.Thread(signalled) is { } thread
                ? exception with { Stack = _stacks.Searched(thread.Stack) } : named.Exception,
            Waits = [.. named.Waits, .. waits.Select(w => w.Wait)],
            ResourceStates = named.ResourceStates.SetItems(waits.Select(w => KeyValuePair.Create(w.Wait.Resource, w.State))),
        };
    }

    private static ThreadSnapshot Thread(LinuxProcessData core, NativeStacks stacks, ElfThread thread, bool timesAreWritten) => new()
    {
        Id = thread.Id,
        Index = thread.Index,
        IsFirst = thread.Id == (core.FirstThread ?? core.ProcessId),
        Activity = LinuxThreadActivity.Of(thread),
        KernelWait = LinuxThreadActivity.Limit(thread),
        Times = thread.Counted is { } own ? new ThreadTimes(own.SystemTime, own.UserTime, null, null) : timesAreWritten ? Times(core, thread) : null,
        Switches = thread.Counted?.Switches,
        Stack = stacks.Of(thread),
    };

    /// <summary>A thread with the system call that it is in, where its registers do not tell.</summary>
    private static ElfThread WithCall(ElfThread thread, IMemory? memory, ElfImages? images) =>
        thread.Machine.TellsCall || thread.Call is not null || thread.InstructionPointer is not { } at || memory is null ? thread
            : thread with { Call = MachineCode.Of(thread.Machine).CallOf(images?.Find(at)?.Image ?? memory, thread) };

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
}

/// <summary>Memory of a process that is that of one moment: when the moment has ended there is none any more. Safe for concurrent use.</summary>
/// <param name="memory">The memory.</param>
internal sealed class MomentMemory(IMemory memory) : IMemory
{
    private volatile bool _hasEnded;

    /// <summary>Ends the moment.</summary>
    public void End() => _hasEnded = true;

    /// <inheritdoc/>
    public int Read(ulong address, Span<byte> destination) => _hasEnded ? 0 : memory.Read(address, destination);
}

/// <summary>The modules of a Linux process: each file that is mapped into it.</summary>
internal static class LinuxModules
{
    /// <summary>Lists them by address.</summary>
    /// <param name="files">The mapped files.</param>
    /// <param name="images">What is loaded from them; null where the memory cannot be read, so that what they hold stays unknown.</param>
    public static ImmutableArray<ModuleSnapshot> Of(IReadOnlyList<ElfMappedFile> files, ElfImages? images)
    {
        // The runtime is in the process once: where its library is loaded, no program holds it.
        ElfImages? asked = files.Any(f => ClrLibrary.Is(f.Path)) ? null : images;
        return
        [
            .. files.GroupBy(f => f.Path, StringComparer.Ordinal)
                .Select(g => Module(g.Key, g.Min(f => f.Start), g.Max(f => f.End)) with
                {
                    HoldsDotNetRuntime = asked is null ? null : HoldsRuntime(g.Where(f => f.FileOffset == 0), asked),
                })
                .OrderBy(m => m.BaseAddress),
        ];
    }

    private static string Name(string path) => path == SystemLibrary.Path ? SystemLibrary.Name : ElfMappedFile.NameOf(path);

    private static ModuleSnapshot Module(string path, ulong start, ulong end)
    {
        bool isSystem = path.StartsWith("/lib", StringComparison.Ordinal) || path.StartsWith("/usr/lib", StringComparison.Ordinal)
            || path == SystemLibrary.Path;
        return new ModuleSnapshot(Name(path), path, start, end - start, 0, null, isSystem);
    }

    /// <summary>A program in a single file is mapped piece by piece besides, as its assemblies are loaded, and not in the order of the addresses.</summary>
    private static bool? HoldsRuntime(IEnumerable<ElfMappedFile> beginnings, ElfImages images)
    {
        ElfDynamicTables[] known = [.. beginnings.Select(f => images.Find(f.Start)?.Image.DynamicTables).OfType<ElfDynamicTables>()];
        return known.Length == 0 ? null : known.Any(t => t.AddressOf(SingleFileRuntimeLayout.Name) is not null);
    }
}

/// <summary>What a thread of a core was doing, by its saved registers.</summary>
public static class LinuxThreadActivity
{
    /// <summary>The activity. On x64 <c>orig_rax</c> is -1 outside of system calls and the call's number inside.</summary>
    public static ThreadActivity Of(ElfThread thread)
    {
        if (thread.SystemCall is not { } number)
        {
            return ThreadActivity.Unknown;
        }

        bool wakesOthers = LinuxSystemCalls.Of(thread) == LinuxCall.Futex && thread.Argument1 is { } operation
            && ((uint)operation & FutexLayout.CommandMask) is FutexLayout.Wake or FutexLayout.Requeue or FutexLayout.CompareRequeue or FutexLayout.WakeOperation
                or FutexLayout.UnlockPriorityInheriting or FutexLayout.WakeBitset;
        string name = LinuxSystemCalls.NameOf(thread.Machine, number);
        string register = thread.Machine.CallName;
        return (number < 0, wakesOthers) switch
        {
            (true, _) => Made(ThreadActivityKind.Running, null,
                thread.Machine.TellsCall ? $"{register} = -1: no system call" : "at no instruction that makes a system call: none"),
            (_, true) => Made(ThreadActivityKind.Running, name, $"{register} = {number} ({name}) with an operation that wakes others and does not wait ({thread.Machine.Named(1)})"),
            _ => Made(LinuxSystemCalls.KindOf(thread.Machine, number), name, $"{register} = {number} ({name})"),
        };

        static ThreadActivity Made(ThreadActivityKind kind, string? call, string evidence) =>
            new(kind, call, [new Evidence(EvidenceSource.Register, evidence)]);
    }

    /// <summary>
    /// The time limit of the thread's wait in the kernel: the fourth argument of <c>futex(FUTEX_WAIT...)</c> is a null pointer for a wait without end
    /// (futex(2)). A thread that was stopped before and is in <c>restart_syscall</c> still has the arguments of the call that goes on; of futex waits only
    /// those with a time limit do so, the others begin anew (Linux kernel/futex/waitwake.c).
    /// </summary>
    /// <returns>The limit with its evidence, or null when the thread is in no such call.</returns>
    public static KernelWait? Limit(ElfThread thread)
    {
        if (LinuxSystemCalls.Of(thread) is not (LinuxCall.Futex or LinuxCall.Restart) || thread.Argument1 is not { } operation
            || thread.Argument3 is not { } limit
            || ((uint)operation & FutexLayout.CommandMask) is not (FutexLayout.Wait or FutexLayout.WaitBitset))
        {
            return null;
        }

        if (LinuxSystemCalls.Of(thread) == LinuxCall.Restart)
        {
            return limit == 0
                ? null
                : new KernelWait(WaitTimeout.Finite, new Evidence(EvidenceSource.Register, $"restarted futex wait with a time limit ({thread.Machine.Named(3)})",
                    thread.Argument0, limit));
        }

        Evidence evidence = limit == 0
            ? new Evidence(EvidenceSource.Register, $"futex wait without a time limit ({thread.Machine.Named(3)} = 0)", thread.Argument0)
            : new Evidence(EvidenceSource.Register, $"futex wait with a time limit ({thread.Machine.Named(3)})", thread.Argument0, limit);
        return new KernelWait(limit == 0 ? WaitTimeout.Infinite : WaitTimeout.Finite, evidence)
        {
            Expected = (uint?)thread.Argument2, IsPrivate = ((uint)operation & FutexLayout.PrivateFlag) != 0,
        };
    }
}

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
