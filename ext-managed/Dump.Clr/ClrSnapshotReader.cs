using System.Collections.Immutable;
using Dump.Clr.Collections;
using Dump.Clr.Frames;
using Dump.Clr.Locks;
using Dump.Clr.Runtimes;
using Dump.Clr.Tasks;
using Dump.Clr.Waits;
using Dump.Model;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr;

/// <summary>Adds the managed half to a snapshot: managed stacks merged into the threads, and waits and owners of managed locks.</summary>
public static class ClrSnapshotReader
{
    private static readonly MissingData s_nativeOnly = new(
        "stacks and locks of native Linux code (there is no .NET runtime in this process, and this version reads no others there)",
        "what its threads wait for is unknown",
        "no dump helps; use gdb -batch -ex 'thread apply all bt'");

    /// <summary>Reads it.</summary>
    /// <param name="native">The native half.</param>
    /// <param name="path">Path of the dump.</param>
    /// <param name="options">How to read; null for the defaults.</param>
    /// <param name="progress">Receives what is being done.</param>
    /// <param name="cancellation">Ends the reading early.</param>
    /// <returns>The merged snapshot; the native one with the reason in <see cref="ProcessSnapshot.Missing"/> when the managed half cannot be read, and unchanged when the process has no .NET runtime.</returns>
    public static ProcessSnapshot Read(
        ProcessSnapshot native, string path, ClrReadOptions? options = null, IProgress<string>? progress = null, CancellationToken cancellation = default) =>
        Read(native, settings => DataTarget.LoadDump(path, settings), options, progress, cancellation);

    /// <summary>Reads it from a core that is no file.</summary>
    /// <param name="native">The native half.</param>
    /// <param name="core">The bytes of an ELF core; it must allow seeking, and is left open.</param>
    /// <param name="options">How to read; null for the defaults.</param>
    /// <param name="progress">Receives what is being done.</param>
    /// <param name="cancellation">Ends the reading early.</param>
    /// <returns>As for a file.</returns>
    public static ProcessSnapshot Read(
        ProcessSnapshot native, Stream core, ClrReadOptions? options = null, IProgress<string>? progress = null, CancellationToken cancellation = default) =>
        Read(native, settings => DataTarget.LoadDump(native.Source.DisplayName, core, leaveOpen: true, settings), options, progress, cancellation);

    private static ProcessSnapshot Read(
        ProcessSnapshot native, Func<DataTargetOptions, DataTarget> load, ClrReadOptions? options, IProgress<string>? progress, CancellationToken cancellation)
    {
        ClrReadOptions settings = options ?? new ClrReadOptions();
        progress?.Report("opening the .NET runtime");
        using ClrTarget? target = ClrTarget.Open(load, settings, out MissingData? missing);
        if (target is null)
        {
            missing ??= native.System.Family == OperatingSystemFamily.Linux ? s_nativeOnly : null;
            return missing is null ? native : native with { Missing = [.. native.Missing, missing] };
        }

        try
        {
            return Merge(native, target, settings, progress, cancellation);
        }
        catch (Exception error) when (error is not (OutOfMemoryException or OperationCanceledException))
        {
            // A damaged dump can make the data-access library fail anywhere; what was read natively stands.
            MissingData failed = new($"the managed half of the dump ({SafeText.Clean(error.Message, 300)})", "managed stacks and locks are unknown", Advice.FullDump);
            return native with { Missing = [.. native.Missing, failed] };
        }
    }

    private static ProcessSnapshot Merge(ProcessSnapshot native, ClrTarget target, ClrReadOptions settings, IProgress<string>? progress, CancellationToken cancellation)
    {
        ClrRuntime runtime = target.Runtime;
        ManagedThreads threads = new(runtime);
        ManagedThreadObjects objects = new(runtime);
        ManagedThreadNames names = new(objects);
        Dictionary<uint, ManagedThread> stacks = [];
        foreach (ClrThread thread in threads.Live)
        {
            cancellation.ThrowIfCancellationRequested();
            progress?.Report($"walking managed stacks {stacks.Count + 1}");
            stacks[thread.OSThreadId] = ManagedThread.Read(thread, settings.Limits.MaxFrames);
        }

        progress?.Report("reading managed locks");
        Dictionary<uint, ThreadSnapshot> byId = native.Threads.GroupBy(t => t.Id).ToDictionary(g => g.Key, g => g.First());
        ManagedWaits waits = ManagedWaits.Read(target, threads, objects, stacks.Values, byId);
        ManagedWaitResults results = waits.Results;
        return native with
        {
            Threads = [.. native.Threads.Select(t => stacks.TryGetValue(t.Id, out ManagedThread? stack) ? MergedThreads.Merge(t, stack, names.Of(stack.Thread), waits.ActivityOf(t)) : t)],
            Waits = [.. native.Waits, .. results.Facts],
            Ownerships = [.. native.Ownerships, .. results.Ownerships],
            TaskWaits = [.. results.TaskWaits],
            Collections = CollectionsInUse.Read(stacks.Values),
            ThreadPool = ThreadPoolReader.Read(runtime, stacks.Values),
            ResourceDescriptions = native.ResourceDescriptions.AddRange(results.Descriptions),
            ResourceNames = native.ResourceNames.AddRange(results.Names.Where(n => !native.ResourceNames.ContainsKey(n.Key))),
            Available = native.Available with { Stacks = native.Available.Stacks || stacks.Values.Any(s => s.Code.Count > 0) },
            Missing = [.. native.Missing, .. waits.Missing],
        };
    }
}
