using System.Collections.Immutable;
using Dump.Clr.Awaits;
using Dump.Clr.Collections;
using Dump.Clr.Frames;
using Dump.Clr.Locks;
using Dump.Clr.Objects;
using Dump.Clr.Requests;
using Dump.Clr.Runtimes;
using Dump.Clr.Tasks;
using Dump.Clr.Waits;
using Dump.Model.Collections;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Readers;
using Dump.Readers.Linux;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr;

/// <summary>Adds the managed half to a snapshot: managed stacks merged into the threads, and waits and owners of managed locks.</summary>
public static class ClrSnapshotReader
{
    private const int MostModules = 65_536;

    /// <summary>Reads the managed half of a dump and merges it into the native one.</summary>
    /// <param name="native">The native half.</param>
    /// <param name="path">Path of the dump.</param>
    /// <param name="options">How to read; null for the defaults.</param>
    /// <param name="progress">Receives what is being done.</param>
    /// <param name="cancellation">Ends the reading early.</param>
    /// <param name="memory">Memory of the process, which large reads go to; null to read everything through ClrMD.</param>
    /// <returns>The merged snapshot; the native one with the reason in <see cref="ProcessSnapshot.Missing"/> when the managed half cannot be read, and
    /// unchanged when the process has no .NET runtime.</returns>
    public static ProcessSnapshot Read(
        ProcessSnapshot native, string path, ClrReadOptions? options = null, IProgress<string>? progress = null, CancellationToken cancellation = default,
        IMemory? memory = null) =>
        Read(native, settings => DumpFile.Open(path, settings), options, progress, cancellation, memory);

    /// <summary>Reads it from a dump that is no file.</summary>
    /// <param name="native">The native half.</param>
    /// <param name="dump">The bytes of an ELF core or a minidump; it must allow seeking, and is left open.</param>
    /// <param name="options">How to read; null for the defaults.</param>
    /// <param name="progress">Receives what is being done.</param>
    /// <param name="cancellation">Ends the reading early.</param>
    /// <param name="memory">Memory of the process, which large reads go to, of several threads at once; null to read everything through ClrMD.</param>
    /// <returns>As for a file.</returns>
    public static ProcessSnapshot Read(
        ProcessSnapshot native, Stream dump, ClrReadOptions? options = null, IProgress<string>? progress = null, CancellationToken cancellation = default,
        IMemory? memory = null) =>
        Read(native, settings => DataTarget.LoadDump(native.Source.DisplayName, dump, leaveOpen: true, settings), options, progress, cancellation, memory);

    private static ProcessSnapshot Read(
        ProcessSnapshot native, Func<DataTargetOptions, DataTarget> load, ClrReadOptions? options, IProgress<string>? progress, CancellationToken cancellation,
        IMemory? memory)
    {
        ManagedHalf? half = ReadHalf(native, load, options ?? new ClrReadOptions(), progress, cancellation, memory);
        return half is null ? native
            : MergedSnapshot.Of(half.Threads.IsEmpty ? native : NativeWaits.LocksOnly(native), half, options?.SeenBefore)
                with { ManagedHalfOrigin = half.Origin };
    }

    /// <summary>Reads the managed half alone.</summary>
    /// <returns>The half, with nothing but the reason when it cannot be read; null when the process has no .NET runtime.</returns>
    internal static ManagedHalf? ReadHalf(
        ProcessSnapshot native, string path, ClrReadOptions settings, IProgress<string>? progress, CancellationToken cancellation) =>
        ReadHalf(native, options => DumpFile.Open(path, options), settings, progress, cancellation, memory: null);

    private static ManagedHalf? ReadHalf(ProcessSnapshot native, Func<DataTargetOptions, DataTarget> load, ClrReadOptions settings, IProgress<string>? progress,
        CancellationToken cancellation, IMemory? memory)
    {
        // The library finds a runtime by its file, or by the symbols of a program in a single file; that a core lacks both the native half says. To search
        // damaged images for it costs the library as much memory as their tables claim.
        if (native.System.Family == OperatingSystemFamily.Linux && NativeCodeGaps.ListsNoFiles(native))
        {
            return null;
        }

        if (native.System.Family == OperatingSystemFamily.Linux && HasNoRuntime(native))
        {
            return Without(native);
        }

        using LibraryWatch watch = new(settings, progress);
        watch.Report("opening the .NET runtime");
        using ClrTarget? target = ClrTarget.Open(load, settings, out MissingData? missing);
        if (target is null)
        {
            return missing is null ? Without(native) : ManagedHalf.Unreadable([missing]);
        }

        try
        {
            ManagedHalf half = ReadHalf(NativeWaits.LocksOnly(native), target, settings, watch, cancellation, memory);
            return target.Info.Flavor == ClrFlavor.Core ? half : FrameworkHalf.Careful(half, DotNetRuntime.Of(target.Info));
        }
        catch (Exception error) when (error is not OperationCanceledException)
        {
            // A damaged dump can make the data-access library fail anywhere, and ask for as much memory as a damaged count says; what was read natively stands.
            settings.Gate?.Fail();
            return ManagedHalf.Unreadable(MissingData.Of(MissingKind.ManagedHalf, subject: ClrTarget.Reason(error)));
        }
    }

    /// <summary>What is missing of a process in which no runtime was found; null where the memory that would tell is missing, for the native half says so.</summary>
    private static ManagedHalf? Without(ProcessSnapshot native)
    {
        ImmutableArray<MissingData> all = native.System.Family == OperatingSystemFamily.Linux ? native.Missing.IsEmpty ? NativeCodeGaps.Of(native) : []
            : WindowsRuntimes.NotFound(native) is { } runtime ? [runtime] : [];
        return all.IsEmpty ? null : ManagedHalf.Unreadable(all);
    }

    /// <summary>True for a Linux process whose native half was searched for a runtime in vain, or does not hold what would show one.</summary>
    private static bool HasNoRuntime(ProcessSnapshot native) => !native.Modules.Any(m => m.IsDotNetRuntime)
        && (native.Modules.Any(m => m.HoldsDotNetRuntime is not null) || native.Missing.Any(m => m.Kind == MissingKind.RuntimeInProgram));

    private static ManagedHalf ReadHalf(
        ProcessSnapshot native, ClrTarget target, ClrReadOptions settings, IProgress<string>? progress, CancellationToken cancellation, IMemory? memory)
    {
        ClrRuntime runtime = target.Runtime;
        ManagedThreadObjects objects = new(runtime);
        ManagedThreads threads = new(runtime, objects, native.Threads.Select(t => t.Id).ToHashSet());
        ManagedThreadNames names = new(objects);
        Dictionary<uint, ManagedThread> stacks = [];
        foreach (ClrThread thread in threads.Live)
        {
            cancellation.ThrowIfCancellationRequested();
            progress?.Report($"walking managed stacks {stacks.Count + 1}");
            stacks[thread.OSThreadId] = ManagedThread.Read(target.Stacks, thread, settings.Limits.MaxFrames, settings.IsCareful);
        }

        progress?.Report("reading managed locks");
        ManagedPlaces places = new(runtime, memory ?? new ClrMemory(runtime.DataTarget.DataReader), settings.IsCareful, settings.OnLibraryFault, settings.Files);
        ThreadWaits waits = ThreadWaits.Read(target, threads, objects, stacks.Values, new NativeWaits(native), places, settings);
        WaitersAndOwners results = waits.Results;
        progress?.Report("checking collections");
        CollectionScanner collections = new(runtime, memory, stacks.Values, settings.OnLibraryFault, cancellation);
        CollectionScan scan = collections.Scan(settings.Collections ?? new CollectionRequest(CollectionScope.InUse), progress);
        RequestsInFlight? requests = null;
        AsyncWaits? look = settings.AsyncWaitsHeap is null ? null
            : AsyncWaitsReader.Read(
                runtime, memory, stacks.Values, results.Facts, results.Ownerships, places, settings, progress, cancellation,
                (known, tasks) => requests = Besides(() => RequestReader.Find(runtime, known, tasks, stacks.Values, results.Facts, places, settings, cancellation), settings));
        InlinedDelegates delegates = new(runtime, places, settings.IsCareful, settings.OnLibraryFault);
        ManagedThreadHalf Half(ThreadSnapshot thread)
        {
            ManagedThread read = stacks[thread.Id];
            var known = ManagedThreadHalf.Of(read, names.Of(read.Thread), waits.ActivityOf(thread), places);
            return known with { Frames = delegates.Add(read, known.Frames), Found = StackSearch.Of(runtime, read, thread, places) };
        }

        ManagedHalf half = new()
        {
            Runtime = DotNetRuntime.Of(target.Info).Product,
            Threads = [.. native.Threads.Where(t => stacks.ContainsKey(t.Id)).Select(Half)],
            Modules = [.. runtime.EnumerateModules().Take(MostModules).Select(m => ManagedFrame.FileName(m)).OfType<string>()
                .Select(n => SafeText.Clean(n, 256)).Distinct()],
            Waits = [.. results.Facts],
            Ownerships = [.. results.Ownerships],
            TaskWaits = [.. results.TaskWaits],
            Collections = settings.Collections is null ? scan.Findings : [],
            CollectionUses = collections.Uses,
            CollectionScan = scan,
            AsyncTasks = settings.AsyncTasks
                ? AsyncForestReader.Read(runtime, memory, stacks.Values, results.Facts, places, settings.OnLibraryFault, progress, cancellation)
                : null,
            Requests = settings.Requests
                ? RequestReader.Read(runtime, memory, stacks.Values, results.Facts, places, settings, progress, cancellation)
                : requests,
            AsyncWaits = look,
            ThreadPool = ThreadPoolReader.Read(target, stacks.Values),
            Names = [.. results.Names.Select(n => new ResourceName(n.Key, n.Value))],
            Descriptions = [.. results.Descriptions.Select(d => new DescribedResource(d.Key, d.Value))],
            Missing = [.. waits.Missing, .. WindowsRuntimes.Others(native, DotNetRuntime.Of(target.Info))],
            LostThreads = threads.Lost,
            UnidentifiedWaiters = [.. waits.Unclear],
            CollectionWaiters = [.. waits.CollectionWaiters],
            Thrown = native.Exception?.ThreadId is { } raiser && stacks.TryGetValue(raiser, out ManagedThread? raised)
                ? ThrownExceptions.Of(raised.Thread) : [],
            InFlight = native is { Exception: null, System.Family: OperatingSystemFamily.Windows }
                ? [.. stacks.Values.Select(s => new ThreadException(s.Thread.OSThreadId, ThrownExceptions.Of(s.Thread))).Where(e => !e.Thrown.IsEmpty)] : [],
            SignalHandlers = native.System.Family == OperatingSystemFamily.Linux ? SignalHandlers.Count(runtime) : null,
            EndedAtExit = native.System.Family == OperatingSystemFamily.Linux ? ExitHandlers.Reach(runtime) : [],
            PendingTimers = native.System.Family == OperatingSystemFamily.Linux ? PendingTimers.Count(runtime) : null,
        };

        settings.OnTarget?.Invoke(target);

        // Which modules there are is known when all places are.
        return half with { CodeModules = places.Modules };
    }

    /// <summary>What is told besides: where the data-access library fails on it, all else stands.</summary>
    private static T? Besides<T>(Func<T> read, ClrReadOptions settings)
        where T : class
    {
        try
        {
            return read();
        }
        catch (Exception error) when (error is not (OutOfMemoryException or OperationCanceledException))
        {
            settings.Gate?.Fail();
            return null;
        }
    }
}

/// <summary>Names of managed threads: <c>Thread._name</c>.</summary>
internal sealed class ManagedThreadNames(ManagedThreadObjects threads)
{
    private const int LongestName = 256;

    /// <summary>The name of a thread, or null when it has none or it cannot be read.</summary>
    public string? Of(ClrThread thread) =>
        threads.Of(thread) is { } target && target.TryReadStringField("_name", LongestName, out string? name) && name is { Length: > 0 }
            ? SafeText.Clean(name, LongestName)
            : null;
}

/// <summary>
/// The managed half of a .NET Framework process. It is read by rules that were checked on .NET Core 2.0 to .NET 10, the first of which has the locks of .NET
/// Framework 4.7; none was checked on a real dump of .NET Framework. No wait and no owner counts as proven, so that no verdict on its locks is Confirmed.
/// </summary>
internal static class FrameworkHalf
{
    /// <summary>The half with no wait and no owner that counts as proven, and with words that say so.</summary>
    public static ManagedHalf Careful(ManagedHalf half, DotNetRuntime runtime) => half with
    {
        Origin = $"{runtime.Name}, by rules that were checked on .NET Core 2.0 to .NET 10 and on no dump of .NET Framework: its locks are at most likely",
        Waits = [.. half.Waits.Select(w => w with { Grade = AtMostDerived(w.Grade) })],
        Ownerships = [.. half.Ownerships.Select(o => o with { Grade = AtMostDerived(o.Grade) })],
    };

    private static Grade AtMostDerived(Grade grade) => grade > Grade.Derived ? Grade.Derived : grade;
}
