using System.Collections.Immutable;
using Dump.Model;
using Dump.Readers.Minidump;
using Dump.Readers.Pe;
using Dump.Readers.Symbols;
using Dump.Readers.Unwinding;
using Dump.Readers.Windows.Waits;

namespace Dump.Readers.Windows;

/// <summary>Reads a snapshot of facts from a Windows minidump.</summary>
public static class WindowsSnapshotReader
{
    /// <summary>Reads it.</summary>
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
        using PeImages images = new(dump, dump, settings.ImageDirectories, settings.Limits);
        using ModuleSymbols symbols = new(images, dump, SymbolSearchPath.Parse(settings.SymbolPath));
        bool isWine = dump.SystemInfo!.WineVersion is not null || symbols.AddressOf("ntdll", "wine_get_version") is not null;
        SystemDescription system = WindowsDescriptions.System(dump, isWine);
        List<ReaderProblem> problems = [.. dump.Problems];
        List<WindowsThread> threads = ReadThreads(dump, images, symbols, settings.Limits, problems, progress, cancellation);
        ProcessEnvironmentBlock? process = threads.Select(t => t.Environment?.ProcessEnvironmentBlock).OfType<ulong>().Distinct()
            .Select(address => ProcessEnvironmentBlock.Read(dump, system.Architecture.PointerSize(), address)).FirstOrDefault(p => p is not null);
        WindowsProcess context = new(dump, system, symbols, process?.LoaderLock, threads);
        context.WaitedAddresses = AddressWaitTable.Read(context, process is null ? null : process.Address + (ulong)PebLayout.Of(context.PointerSize).WaitOnAddressHashTable);
        progress?.Report("classifying waits");
        Dictionary<Resource, ResourceDescription> descriptions = [];
        List<WaitFindings> findings = ComCalls.Add(context, [.. threads.Select(t => WaitClassifier.Classify(context, t))]);
        findings = StaticInitialisations.Complete(context, StandardMutexes.Complete(context, OneTimeInitializations.Complete(context, findings)), descriptions);
        findings = SlimLockCandidates.Complete(context, findings, descriptions);
        RuntimeLocks.Describe(context, findings, descriptions);
        ImmutableDictionary<Resource, string> systemLocks = SystemLocks.Read(process, context.Sections);
        CriticalSection? loaderLock = process?.LoaderLock is { } lockAddress ? context.Sections.ReadKnown(lockAddress) : null;

        // Wine never fills the field, and a dump of Wine need not say that it is one.
        bool fillsGuiThreads = threads.Any(t => t.Environment?.IsGuiThread == true);
        SpinWordReader spinWords = new(dump, dump, images);
        ImmutableArray<ThreadSnapshot> snapshots = [.. threads.Zip(findings, (t, f) => Describe(dump, system, spinWords, t, f, fillsGuiThreads))];
        ImmutableArray<WaitFact> waits = [.. findings.SelectMany(f => f.Waits)];
        ModuleVendors vendors = new(images, threads);
        DataAvailability available = AvailableData.Judge(dump, threads, snapshots, waits, loaderLock is not null);
        return new ProcessSnapshot
        {
            Source = WindowsDescriptions.Source(dump, displayName),
            System = system,
            ProcessId = dump.MiscInfo?.ProcessId,
            ProcessStart = dump.MiscInfo?.CreateTime is { } start and not 0 ? start : null,
            ProcessName = ProgramName(dump, process),
            Threads = snapshots,
            Modules = [.. dump.Modules.Select(m => Describe(images, vendors, m))],
            Waits = waits,
            Ownerships = [.. HeldResources.Read(context, findings, loaderLock, systemLocks.Keys, settings.Limits, problems)],
            ResourceNames = HeldResources.Names(context, waits),
            ResourceDescriptions = descriptions.ToImmutableDictionary(),
            ResourceStates = HeldResources.States(context, waits),
            SystemLocks = systemLocks,
            Loader = new LoaderState(
                process?.LoaderLock,
                loaderLock?.IsLocked,
                process?.ShutdownInProgress,
                process?.ShutdownThreadId,
                system.HasLoadOwnership ? dump.HasAllThreads && threads.All(t => t.Environment?.IsLoadOwner is not null) : null),
            Available = available,
            Missing = [.. AvailableData.Missing(dump, system)],
            Problems = [.. problems, .. images.Problems, .. symbols.Problems],
            SymbolFiles = [.. symbols.PdbFiles],
        };
    }

    private static List<WindowsThread> ReadThreads(
        MinidumpFile dump, PeImages images, ModuleSymbols symbols, ReadLimits limits, List<ReaderProblem> problems, IProgress<string>? progress, CancellationToken cancellation)
    {
        ProcessorArchitecture architecture = dump.SystemInfo!.Architecture;
        IStackWalker? walker = StackWalkers.Create(architecture, dump, dump, images, limits, dump);
        long callers = Math.Min(limits.MaxTotalFrames, dump.FileSize / architecture.PointerSize());
        List<WindowsThread> threads = new(dump.Threads.Count);
        foreach (MinidumpThread thread in dump.Threads)
        {
            cancellation.ThrowIfCancellationRequested();
            progress?.Report($"walking stacks {threads.Count + 1}/{dump.Threads.Count}");
            ThreadEnvironmentBlock? environment = walker is not null ? ThreadEnvironmentBlock.Read(dump, architecture.PointerSize(), thread.Teb, thread.Id, thread.StackPointer) : null;
            StackBounds? bounds = environment?.Stack;
            WalkedStack stack = walker is not null && thread.Registers is { } registers ? walker.Walk(registers, bounds, (int)Math.Min(callers + 1, limits.MaxFrames)) : new WalkedStack([], StackEnd.NoContext);
            if (stack.End == StackEnd.Limit && stack.Frames.Count < limits.MaxFrames)
            {
                problems.Add(new ReaderProblem("stacks", $"have more frames together than the file can hold; thread 0x{thread.Id:x} is cut", thread.StackPointer));
                stack = stack with { End = StackEnd.Inconsistent };
            }

            callers -= Math.Max(0, stack.Frames.Count - 1);
            threads.Add(new WindowsThread(thread, environment, stack.Frames, EntryNames.Add(FrameNaming.Name(stack, dump, symbols), stack, dump, symbols), stack.End));
        }

        return threads;
    }

    private static ThreadSnapshot Describe(MinidumpFile dump, SystemDescription system, SpinWordReader spinWords, WindowsThread thread, WaitFindings findings, bool fillsGuiThreads)
    {
        const uint ExitedFlag = 0x4;
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
            Stack = new ThreadStack(thread.Frames, thread.End),
            IsLoadOwner = system.HasLoadOwnership ? thread.Environment?.IsLoadOwner : null,
            IsLoaderWorker = system.HasLoadOwnership ? thread.Environment?.IsLoaderWorker : null,
            SpinWords = SpinningFrame.ReadWords(spinWords, dump, thread, findings.Activity),
            IsGuiThread = fillsGuiThreads ? thread.Environment?.IsGuiThread : null,
            Messages = DispatchedMessages.Read(dump, thread),
            MessageWait = findings.MessageWait,
            ComWaitFlags = ComWaitFlags.Read(dump, thread),
            HasExited = info is not null && (info.DumpFlags & ExitedFlag) != 0,
        };
    }

    private static ModuleSnapshot Describe(PeImages images, ModuleVendors vendors, ModuleSnapshot module) => images.Find(module) is { } image
        ? module with
        {
            EntryPoint = image.EntryPoint is { } entry ? module.BaseAddress + entry : null,
            Vendor = vendors.Of(module),
            TlsCallbacks = [.. image.TlsCallbacks.Select(rva => module.BaseAddress + rva)],
        }
        : module;

    private static string? ProgramName(MinidumpFile dump, ProcessEnvironmentBlock? process) =>
        (process?.ImageBaseAddress is { } image ? dump.Find(image)?.Name : null)
        ?? dump.ModuleList.Select(m => m.Path[(m.Path.LastIndexOfAny(['\\', '/']) + 1)..])
            .FirstOrDefault(n => n.EndsWith(".exe", StringComparison.OrdinalIgnoreCase));
}
