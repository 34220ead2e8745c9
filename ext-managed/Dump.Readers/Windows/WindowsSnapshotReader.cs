using System.Collections.Immutable;
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
