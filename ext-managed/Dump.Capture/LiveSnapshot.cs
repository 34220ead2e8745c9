using System.Collections.Immutable;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Dump.Capture.Core;
using Dump.Capture.Proc;
using Dump.Capture.Tracing;
using Dump.Clr.Runtimes;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Readers;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux;

namespace Dump.Capture;

/// <summary>What was read of a living process.</summary>
/// <param name="Snapshot">The facts.</param>
/// <param name="StoppedFor">How long its threads were stopped, in all; zero when they were not.</param>
public sealed record LiveSnapshot(ProcessSnapshot Snapshot, TimeSpan StoppedFor)
{
    /// <summary>How often its threads were stopped.</summary>
    public int Stops { get; init; }

    /// <summary>Why the core that was asked for could not be kept, as a clause; null when it was, or nobody asked.</summary>
    public string? NotKept { get; init; }

    /// <summary>True where not all of its memory was taken, so that another look might tell more.</summary>
    public bool IsPartial { get; init; }

    /// <summary>False for a process without a .NET runtime that could be read, of which little is known.</summary>
    public bool IsManaged { get; init; }

    /// <summary>Other processes for which its threads wait, each once.</summary>
    public ImmutableArray<AwaitedProcess> Awaited { get; init; } = [];
}

/// <summary>Reads a living Linux process: processor times at several moments, then everything else while its threads are stopped for a short time.</summary>
[SupportedOSPlatform("linux")]
public static class LiveSnapshotReader
{
    /// <summary>Reads it. The process runs on afterwards, whatever happens.</summary>
    /// <param name="processId">Process id.</param>
    /// <param name="options">How to read; null for the defaults.</param>
    /// <param name="progress">Receives what is being done.</param>
    /// <param name="cancellation">Ends the reading early.</param>
    /// <returns>The facts. Of a process without .NET that the system does not let us stop only what <c>/proc</c> tells.</returns>
    /// <exception cref="InvalidDumpException">The process cannot be read; the message says why and what to do.</exception>
    /// <exception cref="OperationCanceledException">The reading was ended early.</exception>
    public static LiveSnapshot Read(
        int processId, LiveReadOptions? options = null, IProgress<string>? progress = null, CancellationToken cancellation = default)
    {
        LiveReadOptions settings = options ?? new LiveReadOptions();
        if (RuntimeInformation.OSArchitecture is not (Architecture.X64 or Architecture.Arm64))
        {
            throw new InvalidDumpException("living processes are read on x64 and ARM64 only");
        }

        if (RuntimeInformation.OSArchitecture != RuntimeInformation.ProcessArchitecture)
        {
            throw new InvalidDumpException("this program is one for another processor than this system's, and reads no living process of it");
        }

        if (processId == Environment.ProcessId)
        {
            throw new InvalidDumpException($"process {processId} is this program itself");
        }

        LiveProcess process = LiveProcess.Open(processId);
        if (!settings.NeverStops && process.FiltersSystemCalls)
        {
            settings.Warn?.Invoke($"process {processId} filters its system calls (seccomp). If its filter does not allow restart_syscall, the system ends it after "
                + "this look; --no-stop looks without stopping it");
        }

        IReadOnlyList<MemoryMapping> mappings = process.Mappings(settings.Limits);
        if (mappings.Count == 0 || !process.ShowsProgram)
        {
            throw process.IsAlive ? process.NotPermitted() : process.Ended();
        }

        ProcessSample first = Sample(process, settings), last = first;
        var children = StandingChildren.Of(processId);
        bool isManaged = process.RunsDotNet(mappings);

        // What threads of native code write to is among their waits.
        FullPipes? pipes = isManaged && settings.Samples > 1 ? FullPipes.Of(processId) : null;
        for (int i = 1; i < settings.Samples; i++)
        {
            progress?.Report($"sampling CPU times {i} of {settings.Samples - 1}");
            if (cancellation.WaitHandle.WaitOne(settings.Interval))
            {
                throw new OperationCanceledException(cancellation);
            }

            last = Sample(process, settings);
        }

        // Being stopped is a switch of its own, so that these are compared before.
        ImmutableArray<FullPipe> full = pipes?.Still() ?? [];
        (LiveSnapshot read, ProcessSample? stopped) = settings.NeverStops
            ? (new LiveSnapshot(UnstoppedThreads.Read(process, last, mappings), TimeSpan.Zero), null)
            : isManaged || settings.KeepPath is not null
            ? StoppedUntilClear(process, last, settings, progress, cancellation)
            : StoppedIfPermitted(process, last, mappings, settings, progress, cancellation);
        ulong? caught = process.CaughtSignals;
        ProcessSnapshot snapshot = read.Snapshot with
        {
            Threads = [.. read.Snapshot.Threads.Select(t => WithCaughtSignals(WithTimes(t, process, first, last, stopped), caught))],
            Available = read.Snapshot.Available with { ThreadTimes = true, NeverStopped = settings.NeverStops },
            StandingChildren = children.Still(),
            FullPipes = full,
            CaughtSignals = isManaged ? null : caught,
            IsForkedCopy = ElfNotes.IsForkedCopyBy(last.Process.Flags),
            Missing = settings.NeverStops ? [MissingData.Of(MissingKind.StoppedMoment)] : isManaged ? read.Snapshot.Missing
                : stopped is null ? [MissingData.Of(MissingKind.LivingNativeStacks)] : NativeCodeGaps.Of(read.Snapshot),
        };
        return read with { Snapshot = snapshot, IsManaged = isManaged && !settings.NeverStops };
    }

    /// <summary>A number of a signal that has no handler is none: it was left on the stack where the kernel writes none.</summary>
    private static ThreadSnapshot WithCaughtSignals(ThreadSnapshot thread, ulong? caught)
    {
        if (caught is not { } handled || !thread.Stack.Frames.Any(f => f.Signal is not null))
        {
            return thread;
        }

        return thread with
        {
            Stack = thread.Stack with
            {
                Frames =
                [
                    .. thread.Stack.Frames.Select(f => f.Signal is not { } number || (handled >> (number - 1) & 1) != 0 ? f : f with { Signal = null }),
                ],
            },
        };
    }

    /// <summary>A process without .NET; where the system does not let it be stopped, /proc tells the little that there is.</summary>
    private static (LiveSnapshot Read, ProcessSample? Sample) StoppedIfPermitted(
        LiveProcess process, ProcessSample last, IReadOnlyList<MemoryMapping> mappings, LiveReadOptions settings, IProgress<string>? progress,
        CancellationToken cancellation)
    {
        try
        {
            return StoppedUntilClear(process, last, settings, progress, cancellation);
        }
        catch (InvalidDumpException) when (process.IsAlive)
        {
            return (new LiveSnapshot(UnstoppedThreads.Read(process, last, mappings), TimeSpan.Zero), null);
        }
    }

    /// <summary>What a thread does that was on its way at one moment, another moment tells; only what stays unknown is missing.</summary>
    private static (LiveSnapshot Read, ProcessSample? Sample) StoppedUntilClear(
        LiveProcess process, ProcessSample last, LiveReadOptions settings, IProgress<string>? progress, CancellationToken cancellation)
    {
        ImmutableHashSet<uint> seen = settings.Clr.SeenBefore;
        ImmutableHashSet<uint> unclear = [];
        ProcessSample? before = null;
        TimeSpan stoppedFor = TimeSpan.Zero;
        for (int stop = 1; ; stop++)
        {
            bool isFinal = false;
            (LiveSnapshot read, ProcessSample? sample) = Stopped(process, last, settings, Options, IsFinal, progress, cancellation);
            stoppedFor += read.StoppedFor;
            if (isFinal)
            {
                return (read with { StoppedFor = stoppedFor, Stops = stop }, sample);
            }

            (before, unclear) = (sample, [.. read.Snapshot.UnclearThreads]);
            seen = seen.Union(read.Snapshot.Threads.Select(t => t.Id).Except(read.Snapshot.UnclearThreads));
            progress?.Report("letting the process run before another look");
            if (cancellation.WaitHandle.WaitOne(settings.BetweenStops))
            {
                throw new OperationCanceledException(cancellation);
            }

            ClrReadOptions Options(ProcessSample? now) => settings.Clr with
            {
                SeenBefore = seen,
                MovedOn = before is null ? [] : [.. unclear.Where(t => now?.HasRunBetweenStops(before, t) == true)],
            };

            bool IsFinal(ProcessSnapshot snapshot, TimeSpan stopped) =>
                isFinal = stop >= settings.MostStops || stopped > settings.LongestStopToRepeat
                    || (snapshot.UnclearThreads.All(seen.Contains) && !IsHeapInWork(snapshot));
        }
    }

    /// <summary>True where the heap could not be walked because it was just being collected, or something was being allocated: a moment later it can.</summary>
    private static bool IsHeapInWork(ProcessSnapshot snapshot) => snapshot.AsyncWaits?.Gap is HeapLookGap.BeingCollected or HeapLookGap.BrokenOff;

    private static (LiveSnapshot Read, ProcessSample? Sample) Stopped(
        LiveProcess process, ProcessSample last, LiveReadOptions settings, Func<ProcessSample?, ClrReadOptions> options,
        Func<ProcessSnapshot, TimeSpan, bool> isFinal, IProgress<string>? progress, CancellationToken cancellation)
    {
        try
        {
            (LiveSnapshot? read, ProcessSample? sample, TimeSpan stoppedFor) = Once(process, last, settings, options, isFinal, progress, cancellation);
            if (read is not null)
            {
                return (read, sample);
            }

            // Rare: code or constants were replaced after the process had been let go.
            (read, sample, _) = Once(process, last, settings with { MostCopied = 0 }, options, isFinal, progress, cancellation);
            return (read! with { StoppedFor = read.StoppedFor + stoppedFor }, sample);
        }
        catch (TracingRefusedException)
        {
            throw process.IsAlive ? process.NotPermitted() : process.Ended();
        }
        catch (UnauthorizedAccessException)
        {
            throw process.IsAlive ? process.NotPermitted() : process.Ended();
        }
        catch (IOException error)
        {
            throw process.IsAlive
                ? new InvalidDumpException($"process {process.Id} could not be read: {SafeText.Clean(error.Message)}", error)
                : process.Ended();
        }
    }

    /// <summary>Stops the process, reads it and lets it go; null where what was read afterwards may be of another moment.</summary>
    private static (LiveSnapshot? Read, ProcessSample? Sample, TimeSpan StoppedFor) Once(
        LiveProcess process, ProcessSample last, LiveReadOptions settings, Func<ProcessSample?, ClrReadOptions> options,
        Func<ProcessSnapshot, TimeSpan, bool> isFinal, IProgress<string>? progress, CancellationToken cancellation)
    {
        using ProcessMemory memory = new(process.Shown);
        ProcessSample? sample;
        TimeSpan stoppedFor;
        CoreMoment moment;
        bool isAlive;
        CopiedMemory? copy;
        StoppedReading? whileStopped = null;
        using (StoppedProcess stopped = StoppedProcess.Stop(process.Id, settings.Limits.MaxThreads, cancellation))
        {
            sample = ProcessSample.Take(process.Id, settings.Limits.MaxThreads);
            moment = StoppedMoment.Take(process, stopped, sample ?? last, last, settings);
            copy = StoppedMoment.Copy(process, stopped, moment, memory, settings);
            if (copy is null)
            {
                whileStopped = StoppedMoment.Read(process, stopped, moment, memory, Look(), s => isFinal(s, stopped.StoppedFor), progress, cancellation);
            }

            stoppedFor = stopped.StoppedFor;
            isAlive = process.IsAlive;
        }

        using (copy)
        using (StoppedReading? reading = whileStopped ?? (!isAlive ? null
            : StoppedMoment.Read(process, null, moment, copy!, Look(), s => isFinal(s, stoppedFor), progress, cancellation)))
        {
            LiveSnapshot? read = isAlive && reading is not null ? new LiveSnapshot(reading.Named(), stoppedFor) { NotKept = reading.NotKept }
                : throw process.Ended();
            bool isTrue = copy is null || copy.IsStillTrue(process.Mappings(settings.Limits));
            return (isTrue ? read : process.IsAlive ? null : throw process.Ended(), sample, stoppedFor);
        }

        LiveReadOptions Look() => settings with { Clr = options(sample) };
    }

    private static ProcessSample Sample(LiveProcess process, LiveReadOptions settings) =>
        process.IsAlive && ProcessSample.Take(process.Id, settings.Limits.MaxThreads) is { } sample ? sample : throw process.Ended();

    private static ThreadSnapshot WithTimes(ThreadSnapshot thread, LiveProcess process, ProcessSample first, ProcessSample last, ProcessSample? stopped)
    {
        string? name = last.Of(thread.Id)?.Stat.Name;
        return thread with
        {
            // Threads that nobody named bear the name of the process.
            Name = thread.Name ?? (name == process.Name ? null : name),
            Times = last.TimesOf(thread.Id),
            RecentUse = last.UseSince(first, thread.Id, stopped),
            Switches = stopped?.SwitchesSince(last, thread.Id),
        };
    }
}
