using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Instructions;
using Dump.Readers.Minidump;
using Dump.Readers.Pe;
using Dump.Readers.Registers;
using Dump.Readers.Stores;
using Dump.Readers.Symbols;
using Dump.Readers.Unwinding;
using Dump.Readers.Windows.Layouts;
using Dump.Readers.Windows.Locks;
using Dump.Readers.Windows.Process;
using Dump.Readers.Windows.Waits;

namespace Dump.Readers.Windows;

/// <summary>Reads a snapshot of facts from a Windows minidump.</summary>
public static class WindowsSnapshotReader
{
    /// <summary>Walks the stacks of a dump and classifies what each thread waits for and holds.</summary>
    /// <param name="dump">The opened dump.</param>
    /// <param name="displayName">Its name for people.</param>
    /// <param name="options">How to read; null for the defaults.</param>
    /// <param name="progress">Receives what is being done.</param>
    /// <param name="cancellation">Ends the reading early.</param>
    public static ProcessSnapshot Read(
        MinidumpFile dump,
        string displayName,
        WindowsReadOptions? options = null,
        IProgress<string>? progress = null,
        CancellationToken cancellation = default)
    {
        WindowsReadOptions settings = options ?? new WindowsReadOptions();
        NamedFiles named = NamedFiles.Of(settings.ModuleFiles);
        var path = SymbolSearchPath.Parse(settings.SymbolPath).With(named);
        using StoreFiles files = new(settings.Cabinets);
        using PeImages images = new(dump, dump, [.. settings.ImageDirectories, .. path.Directories], settings.Limits, files, named);
        using ModuleSymbols symbols = new(images, dump, path, files);
        bool isWine = dump.SystemInfo!.WineVersion is not null || symbols.AddressOf("ntdll", "wine_get_version") is not null;
        SystemDescription system = WindowsDescriptions.System(dump, isWine);
        List<ReaderProblem> problems = [.. dump.Problems];
        ThreadWalks walks = new(dump, system.Architecture, StackWalkers.Create(system.Architecture, dump, dump, images, settings.Limits, dump, symbols),
            symbols, settings.Limits, problems);
        ProcessSide native = ProcessSide.Read(dump, system, symbols, ReadThreads(dump, system, walks, progress, cancellation));
        EmulatedSide? emulated = EmulatedSide.Read(dump, system, images, symbols, settings.Limits, problems);

        // Of a 32-bit process in a 64-bit dump the 32-bit side is the program's.
        ProcessSide main = emulated?.Side ?? native;
        IReadOnlyList<WindowsThread> threads = [.. native.Threads.Select(t => emulated?.Of(t) ?? t)];
        progress?.Report("classifying waits");
        Dictionary<Resource, ResourceDescription> descriptions = [];
        List<WaitFindings> findings = native.Classify(descriptions);
        findings = DebuggerThreads.SetAside(dump, symbols, native, main, emulated?.Classify(native.Threads, findings, descriptions) ?? findings);
        ImmutableDictionary<Resource, string> systemLocks = native.SystemLocks.SetItems(main.SystemLocks);

        // Wine never fills the field, and a dump of Wine need not say that it is one.
        bool fillsGuiThreads = threads.Any(t => t.Environment?.IsGuiThread == true);
        SpinWordReader spinWords = new(dump, dump, images);
        IReadOnlyDictionary<uint, int>? suspensions = SuspendCounts.AboveOthers(dump, native.Threads);
        ImmutableArray<ThreadSnapshot> snapshots =
            [.. threads.Zip(findings, (t, f) => Describe(dump, spinWords, t, f, fillsGuiThreads))
                .Select(s => s with { SuspendedAbove = suspensions?.GetValueOrDefault(s.Id) })
                .Zip(native.Threads, (s, t) => emulated is null ? s : WithLayer(s, emulated, t))];
        ImmutableArray<WaitFact> waits = [.. findings.SelectMany(f => f.Waits)];
        RecordedException? recorded = RecordedExceptionReader.Read(dump, native.Threads, threads, walks, images);
        ModuleVendors vendors = new(images, threads);
        DataAvailability available = AvailableData.Judge(dump, threads, snapshots, waits, main.LoaderLock is not null);
        return new ProcessSnapshot
        {
            Source = WindowsDescriptions.Source(dump, displayName),
            System = system,
            ProcessId = dump.MiscInfo?.ProcessId,
            ProcessStart = dump.MiscInfo?.CreateTime is { } start and not 0 ? start : null,
            ProcessName = ProgramName(dump, main.Block),
            Machine = MachineName.Read(dump, main.Process.Abi, main.Block) ?? MachineName.Read(dump, native.Process.Abi, native.Block),
            TriggerThread = (recorded is null ? dump.Exception?.ThreadId : recorded.ThreadId) is { } trigger and not 0 && threads.Any(t => t.Id == trigger)
                ? trigger : null,
            Unreal = dump.Unreal,
            Exception = recorded ?? RuntimeEnding.Read(dump, native.Threads),
            Threads = snapshots,
            Modules = [.. dump.Modules.Select(m => Describe(images, vendors, m))],
            Waits = waits,
            Ownerships = [.. Sides(native, main).SelectMany(s => HeldResources.Read(s, findings, settings.Limits, problems))
                .DistinctBy(o => (o.Resource, o.OwnerThreadId))],
            ResourceNames = HeldResources.Names(native.Process, waits),
            ResourceDescriptions = descriptions.ToImmutableDictionary(),
            ResourceStates = HeldResources.States(native.Process, waits),
            SystemLocks = systemLocks,
            Loader = new LoaderState(
                main.Block?.LoaderLock,
                main.LoaderLock?.IsLocked,
                main.Block?.ShutdownInProgress,
                main.Block?.ShutdownThreadId,
                system.HasLoadOwnership ? dump.HasAllThreads && threads.All(t => t.Environment?.IsLoadOwner is not null) : null),
            Available = available,
            Missing = [.. AvailableData.Missing(dump, system,
                isEmulatedSideRead: emulated is { Side.Block: not null }
                    && threads.Zip(snapshots).All(t => t.Second.HasExited || t.First.Registers is X86Registers)),
                        .. Sides(native, main).SelectMany(s => s.Missing)],
            Problems = [.. problems, .. images.Problems, .. symbols.Problems, .. files.Problems],
            SymbolFiles = [.. symbols.PdbFiles],
        };
    }

    private static List<WindowsThread> ReadThreads(
        MinidumpFile dump, SystemDescription system, ThreadWalks walks, IProgress<string>? progress, CancellationToken cancellation)
    {
        TebLayout? layout = StackWalkers.IsKnown(system.Architecture) ? new TebLayout(WindowsAbi.Of(system)) : null;
        List<WindowsThread> threads = new(dump.Threads.Count);
        foreach (MinidumpThread thread in dump.Threads)
        {
            cancellation.ThrowIfCancellationRequested();
            progress?.Report($"walking stacks {threads.Count + 1}/{dump.Threads.Count}");
            ThreadEnvironmentBlock? environment = layout is null
                ? null
                : ThreadEnvironmentBlock.Read(dump, layout, thread.Teb, thread.Id, thread.StackPointer);
            threads.Add(walks.Walk(thread, thread.Registers, environment));
        }

        return threads;
    }

    private static IEnumerable<ProcessSide> Sides(ProcessSide native, ProcessSide main) => native == main ? [native] : [main, native];

    /// <summary>
    /// Adds what the 64-bit side of a 32-bit thread says. That a thread never called the window manager would
    /// take both thread blocks to say, and it is not documented which of them records it.
    /// </summary>
    private static ThreadSnapshot WithLayer(ThreadSnapshot thread, EmulatedSide emulated, WindowsThread layer) => thread with
    {
        EmulationStack = emulated.Of(layer) is null || emulated.IsRunning(layer) ? null : new ThreadStack(layer.Frames, layer.End),
        IsGuiThread = thread.IsGuiThread == true || layer.Environment?.IsGuiThread == true ? true : null,
    };

    private static ThreadSnapshot Describe(
        MinidumpFile dump, SpinWordReader spinWords, WindowsThread thread, WaitFindings findings, bool fillsGuiThreads)
    {
        MinidumpThreadInfo? info = dump.ThreadInfos?.GetValueOrDefault(thread.Id);
        return new ThreadSnapshot
        {
            Id = thread.Id,
            Index = thread.Saved.Index,
            Name = dump.ThreadNames?.GetValueOrDefault(thread.Id),
            Teb = thread.Saved.Teb == 0 ? null : thread.Saved.Teb,
            StartAddress = info?.StartAddress is { } start and not 0 ? start : null,
            Times = WindowsDescriptions.Times(dump, thread.Id),
            Activity = findings.Activity,
            Stack = new ThreadStack(thread.Frames, thread.End)
            {
                Content = ContentFrom(dump, thread, 0),
                CallerContent = ContentFrom(dump, thread, thread.NtdllRun.Length),
            },
            IsLoadOwner = thread.Environment?.IsLoadOwner,
            IsLoaderWorker = thread.Environment?.IsLoaderWorker,
            SpinWords = SpinningFrame.ReadWords(spinWords, dump, thread, findings.Activity),
            IsGuiThread = fillsGuiThreads ? thread.Environment?.IsGuiThread : null,
            Apartment = ApartmentReader.Read(dump, thread),
            Messages = DispatchedMessages.Read(dump, thread),
            MessageWait = findings.MessageWait,
            ComWaitFlags = ComWaitFlags.Read(dump, thread),
            HasExited = info?.HasExited == true,
        };
    }

    private static string? ContentFrom(MinidumpFile dump, WindowsThread thread, int frame) => frame >= thread.Frames.Length
        ? null
        : StackContent.Of(dump, thread.Frames[frame].StackPointer, thread.Frames[^1].StackPointer);

    private static ModuleSnapshot Describe(PeImages images, ModuleVendors vendors, ModuleSnapshot module) => images.Find(module) is { } image
        ? module with
        {
            EntryPoint = image.EntryPoint is { } entry ? module.BaseAddress + entry : null,
            Vendor = vendors.Of(module),
            TlsCallbacks = [.. image.TlsCallbacks.Select(rva => module.BaseAddress + rva)],
            HoldsDotNetRuntime = SingleFilePrograms.HoldsRuntime(module, image),
        }
        : module;

    private static string? ProgramName(MinidumpFile dump, ProcessEnvironmentBlock? process) =>
        (process?.ImageBaseAddress is { } image ? dump.Find(image)?.Name : null)
        ?? dump.ModuleList.Select(m => m.Path[(m.Path.LastIndexOfAny(['\\', '/']) + 1)..])
            .FirstOrDefault(n => n.EndsWith(".exe", StringComparison.OrdinalIgnoreCase));
}

/// <summary>Reads who made the modules that stand on stacks; nobody asks about the others.</summary>
internal sealed class ModuleVendors
{
    // A process has some hundred modules on its stacks; a damaged dump may claim any number.
    private const int MostModules = 1024;
    private readonly HashSet<string> _onStacks;
    private readonly PeImages _images;
    private int _read;

    /// <summary>Notes the modules of all stacks; nothing is read yet.</summary>
    public ModuleVendors(PeImages images, IEnumerable<WindowsThread> threads)
    {
        _images = images;
        _onStacks = new HashSet<string>(threads.SelectMany(t => t.Frames).Select(f => f.Module).OfType<string>(), StringComparer.OrdinalIgnoreCase);
    }

    /// <summary>CompanyName of a module's version resource, or null.</summary>
    public string? Of(ModuleSnapshot module) =>
        _onStacks.Contains(module.Name) && _read++ < MostModules ? _images.Find(module)?.Company : null;
}

/// <summary>Says which data a dump carries and what the missing ones would take.</summary>
internal static class AvailableData
{
    /// <summary>Judges what there is.</summary>
    public static DataAvailability Judge(
        MinidumpFile dump, IReadOnlyList<WindowsThread> threads, ImmutableArray<ThreadSnapshot> snapshots, ImmutableArray<WaitFact> waits,
        bool hasLoaderLock) => new(
        Stacks: snapshots.All(t => t.HasExited || t.Stack.End is StackEnd.Complete or StackEnd.Limit),
        ThreadTimes: dump.ThreadInfos is { Count: > 0 },
        ThreadEnvironmentBlocks: threads.All(t => t.Environment is not null),
        LoaderLock: hasLoaderLock,
        LockMemory: !waits.Any(w => w.Resource is { Kind: ResourceKind.CriticalSection, Identity: 0 }),
        Handles: dump.Handles is not null,
        HandleOwners: dump.Handles is { } handles && handles.Any(h => h.Information.Count > 0))
    {
        AllThreads = dump.HasAllThreads,
        AllMemory = (dump.Header.Flags & WindowsDescriptions.FullMemoryFlag) != 0,
    };

    /// <summary>What cannot be analysed at all.</summary>
    public static IEnumerable<MissingData> Missing(MinidumpFile dump, SystemDescription system, bool isEmulatedSideRead)
    {
        if (!StackWalkers.IsKnown(system.Architecture))
        {
            yield return MissingData.Of(MissingKind.Unwinder, subject: system.Architecture.ToString());
        }

        // The stacks that matter are those of the 32-bit code, below the contexts that the dump lists.
        if (EmulatedSide.Exists(dump) && !isEmulatedSideRead)
        {
            yield return MissingData.Of(MissingKind.EmulatedStacks);
        }

        if (!dump.HasAllThreads)
        {
            yield return MissingData.Of(MissingKind.ThreadList);
        }

        if (dump.MemoryRanges.Count == 0)
        {
            yield return MissingData.Of(MissingKind.ProcessMemory);
        }
    }
}

/// <summary>
/// Threads that a debugger made in the process to stop it. Such a thread begins in <c>ntdll!DbgUiRemoteBreakin</c>
/// (Microsoft, "DebugBreakProcess"; WinDbg shows it as the current thread after attaching). In a process whose loader lock
/// is held it waits for that lock before it can stop anything: a waiter that the process does not have when nobody looks.
/// </summary>
internal static class DebuggerThreads
{
    private const string Entry = "DbgUiRemoteBreakin";

    /// <summary>Takes their waits out of what was found: they count as idle, unless they hold the loader's own lock, where others may wait for them.</summary>
    /// <param name="dump">States where threads began; without that none is known.</param>
    /// <param name="symbols">Finds the function.</param>
    /// <param name="native">The side of the process whose threads the dump lists.</param>
    /// <param name="main">The side that the program runs in: the same, or the 32-bit one of a 64-bit dump. A
    /// debugger of either architecture makes its thread begin in the ntdll of its own.</param>
    /// <param name="findings">What each thread does, in the order of the threads.</param>
    public static List<WaitFindings> SetAside(
        MinidumpFile dump, ModuleSymbols symbols, ProcessSide native, ProcessSide main, IReadOnlyList<WaitFindings> findings)
    {
        ulong[] entries = dump.ThreadInfos is null ? []
            : [.. dump.Modules.Where(m => m.Name.Equals("ntdll.dll", StringComparison.OrdinalIgnoreCase)).Select(m => symbols.AddressIn(m, Entry))
                .OfType<ulong>()];
        return
        [
            .. native.Threads.Zip(findings, (t, f) => entries.Length > 0 && dump.ThreadInfos!.GetValueOrDefault(t.Id)?.StartAddress is { } start
                && entries.Contains(start)
                && !HoldsLoader(native, t) && !HoldsLoader(main, t) ? Idle(start) : f),
        ];
    }

    private static bool HoldsLoader(ProcessSide side, WindowsThread thread) =>
        (side.LoaderLock is { IsLocked: true } loader && loader.OwnerThreadId == thread.Id) || thread.Environment?.IsLoadOwner == true;

    private static WaitFindings Idle(ulong entry) => WaitFindings.Only(new ThreadActivity(
        ThreadActivityKind.Idle, null, [new Evidence(EvidenceSource.DumpStream,
            $"a debugger made this thread to stop the process: it begins in ntdll!{Entry}", entry)]));
}

/// <summary>
/// Collects who holds what: owners found through waits, the loader lock and other locks of the system, and locked critical sections of the system's list.
/// </summary>
internal static class HeldResources
{
    /// <summary>All ownerships, each resource and owner once.</summary>
    public static IEnumerable<OwnershipFact> Read(
        ProcessSide side,
        IReadOnlyList<WaitFindings> findings,
        ReadLimits limits,
        List<ReaderProblem> problems)
    {
        WindowsProcess process = side.Process;
        Dictionary<ulong, CriticalSection> sections = [];
        if (side.LoaderLock is { } loaderLock)
        {
            sections.Add(loaderLock.Address, loaderLock);
        }

        // What is only suspected to be a section leads to no others, and its memory alone names no owner.
        foreach (ulong address in findings.SelectMany(f => f.Waits).Where(w => w.Grade > Grade.Suspected).Select(w => w.Resource)
            .Concat(side.SystemLocks.Keys)
            .Where(r => r.Facts.IsCriticalSection && r.Identity != 0).Select(r => r.Identity))
        {
            if (process.Sections.ReadKnown(address) is { } section)
            {
                sections.TryAdd(address, section);
            }
        }

        CriticalSectionList list = new(process.Sections, limits.MaxListLength);
        HashSet<ulong> walked = [];
        foreach (CriticalSection start in sections.Values.ToArray())
        {
            // From a section that an earlier walk came by, the same list leads on to the same sections.
            foreach (CriticalSection section in walked.Contains(start.Address) ? [] : list.Walk(start, problems))
            {
                walked.Add(section.Address);
                sections.TryAdd(section.Address, section);
            }
        }

        return findings.SelectMany(f => f.Ownerships)
            .Concat(sections.Values.Where(s => s.IsLocked).OrderBy(s => s.Address).Select(process.OwnershipOf))
            .GroupBy(o => (o.Resource, o.OwnerThreadId)).Select(g => g.MaxBy(o => o.Grade)!);
    }

    /// <summary>Names of the kernel objects that threads wait for.</summary>
    public static ImmutableDictionary<Resource, string> Names(WindowsProcess process, ImmutableArray<WaitFact> waits)
    {
        HashSet<Resource> resources = [.. waits.Select(w => w.Resource)];
        ImmutableDictionary<Resource, string>.Builder names = ImmutableDictionary.CreateBuilder<Resource, string>();
        foreach (MinidumpHandle handle in process.Dump.Handles ?? [])
        {
            Resource resource = HandleResources.ResourceOf(handle);
            if (handle.ObjectName is { Length: > 0 } name && resources.Contains(resource))
            {
                names[resource] = name;
            }
        }

        return names.ToImmutable();
    }

    /// <summary>Recorded states of the kernel objects that threads wait for.</summary>
    public static ImmutableDictionary<Resource, string> States(WindowsProcess process, ImmutableArray<WaitFact> waits)
    {
        HashSet<Resource> resources = [.. waits.Select(w => w.Resource)];
        ImmutableDictionary<Resource, string>.Builder states = ImmutableDictionary.CreateBuilder<Resource, string>();
        foreach (MinidumpHandle handle in process.Dump.Handles ?? [])
        {
            Resource resource = HandleResources.ResourceOf(handle);
            if (resources.Contains(resource) && HandleStates.Describe(process, handle) is { } state)
            {
                states[resource] = state;
            }
        }

        Resource itself = new(ResourceKind.Process, WaitedHandle.CurrentProcess);
        if (resources.Contains(itself))
        {
            states[itself] = "this process itself, or a handle that was not checked: INVALID_HANDLE_VALUE is the same number";
        }

        return states.ToImmutable();
    }
}

/// <summary>
/// Finds the thread on which the .NET runtime ends a process, where it has the dump written itself (<c>DOTNET_DbgEnableMiniDump</c>): its createdump records no
/// exception. That thread has started a process, whose handles and ids lie in its frame, and waits for the end of it. The runtime does the same when a
/// diagnostic port asks it for a dump, but on a thread without managed code and without an exception: such a thread is none.
/// </summary>
internal static class RuntimeEnding
{
    private const ulong LargestFrame = 0x1000;
    private const ulong LargestHandle = 1 << 24;
    private const ulong StackAlignment = sizeof(ulong);
    private static readonly string[] s_dispatching = ["KiUserExceptionDispatcher", "KiUserExceptionDispatch", "RaiseException", "UnhandledExceptionFilter"];

    /// <summary>The thread, as an exception of which nothing is recorded; null when there is none.</summary>
    /// <param name="dump">The dump.</param>
    /// <param name="threads">Its threads.</param>
    public static RecordedException? Read(MinidumpFile dump, IReadOnlyList<WindowsThread> threads) =>
        dump.SystemInfo?.Architecture == ProcessorArchitecture.X64 && threads.FirstOrDefault(t => IsEnding(dump, t.Frames)) is { } thread
            ? new RecordedException(thread.Id) { IsRuntimeEnding = true }
            : null;

    private static bool IsEnding(MinidumpFile dump, ImmutableArray<StackFrame> frames)
    {
        int runtime = 0;
        while (runtime < frames.Length && frames[runtime] is { ModuleStem: "ntdll" or "kernelbase" or "kernel32", Trust: > FrameTrust.Scan })
        {
            runtime++;
        }

        return runtime > 0 && runtime + 1 < frames.Length && frames[runtime - 1].Function == "WaitForSingleObject"
            && frames[runtime] is { ModuleStem: "coreclr", Trust: > FrameTrust.Scan } waiting && frames[runtime + 1].Trust > FrameTrust.Scan
            && frames.Skip(runtime + 1).Any(f => f.Trust > FrameTrust.Scan && (f.ModuleStem == "system.private.corelib" || s_dispatching.Contains(f.Function)))
            && HasStarted(dump, waiting.StackPointer, Math.Min(frames[runtime + 1].StackPointer, waiting.StackPointer + LargestFrame));
    }

    /// <summary>True when both structures of a started process lie between two addresses, the handles and ids of the new process filled in.</summary>
    private static bool HasStarted(MinidumpFile dump, ulong start, ulong end)
    {
        bool hasStartup = false, hasProcess = false;
        for (ulong address = start; address < end && !(hasStartup && hasProcess); address += StackAlignment)
        {
            hasStartup = hasStartup
                || (address + StartedProcessLayout.StartupInfoSize <= end && dump.ReadUInt32(address) == StartedProcessLayout.StartupInfoSize);
            hasProcess = hasProcess || (address + StartedProcessLayout.ProcessInformationSize <= end && IsProcess(dump, address));
        }

        return hasStartup && hasProcess;
    }

    /// <summary>Handles and ids of Windows are multiples of four.</summary>
    private static bool IsProcess(MinidumpFile dump, ulong address) =>
        dump.ReadUInt64(address) is { } process && IsHandle(process)
        && dump.ReadUInt64(address + StartedProcessLayout.ThreadHandle) is { } thread && IsHandle(thread) && thread != process
        && dump.ReadUInt32(address + StartedProcessLayout.ProcessId) is { } id && id is not 0 && id % 4 == 0
        && dump.ReadUInt32(address + StartedProcessLayout.ThreadId) is { } first && first is not 0 && first % 4 == 0 && first != id;

    private static bool IsHandle(ulong value) => value is not 0 and < LargestHandle && value % 4 == 0;
}

/// <summary>Finds the lock words of a thread that yields or runs in a module's code.</summary>
internal static class SpinningFrame
{
    private const int MaximumDepth = 8;

    /// <summary>The words that the innermost frame outside the system's modules tests; empty when the thread does neither.</summary>
    public static ImmutableArray<SpinWord> ReadWords(SpinWordReader reader, IModuleMap modules, WindowsThread thread, ThreadActivity activity)
    {
        if (activity.Kind is not (ThreadActivityKind.Yielding or ThreadActivityKind.Running))
        {
            return [];
        }

        for (int i = 0; i < Math.Min(MaximumDepth, thread.Walked.Count); i++)
        {
            ulong address = thread.Walked[i].InstructionPointer - (i == 0 ? 0UL : 1UL);
            if (modules.Find(address) is { IsSystem: not true })
            {
                return reader.Read(thread.Walked[i]);
            }
        }

        return [];
    }
}
