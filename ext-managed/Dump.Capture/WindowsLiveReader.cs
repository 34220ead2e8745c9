using System.Globalization;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Dump.Capture.Windows;
using Dump.Capture.Windows.Chains;
using Dump.Capture.Windows.Holding;
using Dump.Capture.Windows.Messages;
using Dump.Capture.Windows.Processes;
using Dump.Capture.Windows.Writing;
using Dump.Clr;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Readers;
using Dump.Readers.Minidump;
using Dump.Readers.Pe;
using Dump.Readers.Windows;

namespace Dump.Capture;

/// <summary>
/// Reads a living Windows process: processor times at several moments, then a dump of one moment, which the readers of dumps read when the process runs on.
/// </summary>
[SupportedOSPlatform("windows")]
public static class WindowsLiveReader
{
    private const string Comment = "snapshot of a running process by dumpanalyze";

    /// <summary>Reads it. The process runs on afterwards, whatever happens.</summary>
    /// <param name="processId">Process id.</param>
    /// <param name="options">How to read; <see cref="LiveReadOptions.Program"/> must be set.</param>
    /// <param name="progress">Receives what is being done.</param>
    /// <param name="cancellation">Ends the reading early.</param>
    /// <exception cref="InvalidDumpException">The process cannot be read; the message says why and what to do.</exception>
    /// <exception cref="OperationCanceledException">The reading was ended early.</exception>
    public static LiveSnapshot Read(int processId, LiveReadOptions options, IProgress<string>? progress = null, CancellationToken cancellation = default)
    {
        if (RuntimeInformation.OSArchitecture != Architecture.X64)
        {
            throw new InvalidDumpException("living processes are read on x64 only");
        }

        if (processId == Environment.ProcessId)
        {
            throw new InvalidDumpException($"process {processId} is this program itself");
        }

        return Read(new WindowsCalls(options.Program, options.DumpWriter), processId, options, progress, cancellation);
    }

    /// <summary>The same of a system.</summary>
    internal static LiveSnapshot Read(
        IWindowsCalls calls, int processId, LiveReadOptions options, IProgress<string>? progress, CancellationToken cancellation)
    {
        // Kept open before anything is asked, and until the end: its id is given to no newcomer meanwhile, who would be stopped or read in its place.
        using IOpenProcess? kept = calls.Open(processId);
        if (TargetRefusal.Of(calls.Describe(processId)) is { } refusal)
        {
            throw new InvalidDumpException(refusal);
        }

        // Started first: it comes up while processor times are sampled.
        using ITargetHold hold = calls.Hold(processId);
        WindowsSample first = Sample(calls, processId, options), last = first;
        for (int i = 1; i < options.Samples; i++)
        {
            progress?.Report($"sampling CPU times {i} of {options.Samples - 1}");
            if (cancellation.WaitHandle.WaitOne(options.Interval))
            {
                throw new OperationCanceledException(cancellation);
            }

            last = Sample(calls, processId, options);
        }

        IReadOnlyList<WindowAnswer> windows = WindowQuestions.Ask(calls, processId);
        IReadOnlyDictionary<uint, WaitChain> chains = calls.WaitChains(last.Threads.Keys);
        DumpPlan plan = options.IsFull ? DumpPlan.Everything : DumpPlan.Of(calls.Images(processId), PeFileIdentity.Read);
        long? committed = calls.CommittedBytes(processId, onlyImages: !plan.IsFull);
        CheckSpace(committed, processId, plan, last.Threads.Count, options);
        using SnapshotFile file = SnapshotFile.Create(processId, options.KeepPath);
        progress?.Report("taking the process' memory");
        WrittenDump written = WrittenDump.Take(calls, hold, new DumpRequest(processId, file.Handle, plan.Content, Comment, cancellation),
            options.LongestStop ?? plan.LongestStop(committed));
        file.Complete();
        ProcessSnapshot snapshot = WindowFacts.Join(
            SystemWaits.Join(Read(file.Path, processId, plan, options, progress, cancellation), chains, NameOf), windows);
        return new LiveSnapshot(
            snapshot with
            {
                Threads = [.. snapshot.Threads.Select(t => Described(t, first, last, written))],
                Available = snapshot.Available with { ThreadTimes = true },
            },
            written.StoppedFor)
        {
            Stops = written.StoppedFor > TimeSpan.Zero ? 1 : 0,
            IsManaged = true,
            IsPartial = !plan.IsFull,
            Awaited = SystemWaits.Awaited(snapshot, chains, NameOf),
        };

        string? NameOf(uint other) => other <= int.MaxValue ? calls.Describe((int)other).Name : null;
    }

    private static WindowsSample Sample(IWindowsCalls calls, int process, LiveReadOptions options) =>
        calls.Sample(process, options.Limits.MaxThreads)
            ?? throw new InvalidDumpException(string.Create(CultureInfo.InvariantCulture, $"process {process} ended while it was being read"));

    private static void CheckSpace(long? committed, int process, DumpPlan plan, int threads, LiveReadOptions options)
    {
        string folder = options.KeepPath is { } keep ? Path.GetDirectoryName(Path.GetFullPath(keep))! : Path.GetTempPath();
        if (committed is { } bytes && SnapshotFile.RoomIn(folder) is { } room && plan.LargestSize(bytes, threads) is var size && room < size)
        {
            throw new InvalidDumpException(string.Create(CultureInfo.InvariantCulture,
                $"the memory of process {process} may take {(size >> 20) + 1} MiB, and {SafeText.Clean(folder)} has {room >> 20} MiB left; make room there")
                + (options.KeepPath is null ? ", or set TMP to another folder" : ", or name a file elsewhere"));
        }
    }

    private static ProcessSnapshot Read(
        string path, int process, DumpPlan plan, LiveReadOptions options, IProgress<string>? progress, CancellationToken cancellation)
    {
        string name = string.Create(CultureInfo.InvariantCulture, $"process {process}");
        using MinidumpFile dump = MinidumpFile.Open(path);
        WindowsReadOptions settings = options.Windows with { ImageDirectories = [.. options.Windows.ImageDirectories, .. plan.ImageDirectories] };
        ProcessSnapshot native = WindowsSnapshotReader.Read(dump, name, settings, progress, cancellation);
        ProcessSnapshot read = ClrSnapshotReader.Read(native, path, options.Clr, progress, cancellation, dump);
        return read with
        {
            Source = read.Source with { Kind = $"living Windows process, {(plan.IsFull ? "full" : "partial")} memory", FileSize = null },
        };
    }

    private static ThreadSnapshot Described(ThreadSnapshot thread, WindowsSample first, WindowsSample last, WrittenDump written) => thread with
    {
        Times = thread.Times ?? last.TimesOf(thread.Id),
        RecentUse = last.UseSince(first, thread.Id),
        SuspendedAbove = SuspendedAbove(thread, written),
    };

    /// <summary>How often others had suspended a thread before it was stopped for this look; null where none of the threads was.</summary>
    private static int? SuspendedAbove(ThreadSnapshot thread, WrittenDump written) =>
        written.SuspendCounts is not { } counts ? thread.SuspendedAbove
        : counts.Values.Any(c => c > 0) ? counts.GetValueOrDefault(thread.Id) : null;
}
