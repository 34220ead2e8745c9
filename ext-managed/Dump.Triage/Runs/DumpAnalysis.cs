using System.Globalization;
using System.Text.Json;
using Dump.Model.Contract;
using Dump.Model.Merging;
using Dump.Triage.Archives;
using Dump.Triage.Children;
using Dump.Triage.Discovery;
using Dump.Triage.Records;

namespace Dump.Triage.Runs;

/// <summary>Analyses one dump in a child process and makes a record of how that ended.</summary>
/// <param name="options">What to run, within which limits.</param>
/// <param name="work">Where to unpack.</param>
/// <param name="tool">What makes the record.</param>
internal sealed class DumpAnalysis(TriageOptions options, WorkFolder work, string tool)
{
    private const int SignalBase = 128;
    private const int KillSignal = 9;

    // SIGHUP, SIGINT, SIGQUIT, SIGKILL, SIGTERM (signal(7)): sent by somebody, for example to all processes of a terminal; no program crashes by them.
    private static readonly int[] s_outsideSignals = [1, 2, 3, 9, 15];
    private static readonly TimeSpan s_signalPatience = TimeSpan.FromSeconds(1);
    private static readonly int[] s_crashSignals = [4, 6, 7, 8, 11];

    /// <summary>The limits that a record can have come up against.</summary>
    public IReadOnlyCollection<string> Limits { get; } = [TimeLimit(options.Timeout), MemoryLimit(options.Memory), UnpackLimit(options.Unpacking)];

    /// <summary>The processes for the analyses of one thread, which has to dispose it.</summary>
    public WorkerCrew Crew() => new(options.IsFresh ? options.Program with { HasWorkers = false } : options.Program, options.AnalysisArguments, new ChildLimits(options.Timeout,
        options.Memory));

    /// <summary>Analyses a dump.</summary>
    /// <param name="dump">The dump.</param>
    /// <param name="crew">The processes of this thread.</param>
    /// <param name="take">Takes the record; its report is gone afterwards.</param>
    /// <param name="cancellation">Ends the analysis.</param>
    /// <exception cref="OperationCanceledException">The run is to end.</exception>
    public void Run(FoundDump dump, WorkerCrew crew, Action<RecordContent> take, CancellationToken cancellation)
    {
        RecordContent record = new() { Identity = dump.Identity, Sources = [.. dump.Places.Select(p => p.Source)], Outcome = TriageOutcome.Refused,
            Tool = tool };
        if (dump.Refusal is { } refusal)
        {
            take(record with { Reason = refusal, Limit = UnpackLimit(options.Unpacking) });
            return;
        }

        DumpPlace place = dump.Places.FirstOrDefault(p => p.Unpacked is not null) ?? dump.Places[0];
        string? unpacked = null;
        try
        {
            unpacked = place.Member is null ? null : place.Unpacked ?? work.Unpack(place, dump.Size ?? 0, cancellation);
            RunChild(record, place, unpacked ?? place.File.FullPath, crew, take, cancellation);
        }
        catch (RefusedMemberException error)
        {
            take(record with { Reason = error.Message, MayChange = error.MayChange, Limit = UnpackLimit(options.Unpacking) });
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or InvalidDataException && unpacked is null
            && place.Member is not null)
        {
            take(record with { Outcome = TriageOutcome.Vanished,
                Reason = "it could not be unpacked: the archive has changed or went away, or the disk of the output folder is full", MayChange = true });
        }
        finally
        {
            if (place.Unpacked is null && unpacked is not null)
            {
                work.Release(unpacked);
            }

            foreach (DumpPlace kept in dump.Places.Where(p => p.Unpacked is not null))
            {
                work.Forget(kept.Unpacked!);
            }
        }
    }

    private void RunChild(
        RecordContent record, DumpPlace place, string path, WorkerCrew crew, Action<RecordContent> take, CancellationToken cancellation)
    {
        DateTime started = DateTime.UtcNow;
        ChildLimits limits = new(options.Timeout, options.Memory);
        ChildResult child = crew.Run(path, cancellation);
        if (child.ExitCode is { } code && (s_crashSignals.Contains(code - SignalBase) || code == ChildProcess.Stalled)
            && limits.Time - (child.Duration - child.Earlier) is var left && left > TimeSpan.Zero)
        {
            ChildResult second = crew.RunWatched(path, limits with { Time = left }, cancellation);
            child = second with { Duration = child.Duration + second.Duration, PeakMemory = Math.Max(child.PeakMemory ?? 0, second.PeakMemory ?? 0) };
        }

        if (IsEndedFromOutside(child))
        {
            // What ended the analysis may be about to end this run too, and then says nothing of the dump.
            _ = cancellation.WaitHandle.WaitOne(s_signalPatience);
            cancellation.ThrowIfCancellationRequested();
        }

        record = record with { ExitCode = child.ExitCode, Timing = new RunTiming(started, child.Duration, child.PeakMemory) };
        EntryStatus? now = EntryStatus.Of(place.File.FullPath);
        if (now is null || now.Size != place.File.Status.Size || now.Modified != place.File.Status.Modified)
        {
            take(record with
            {
                Outcome = TriageOutcome.Vanished,
                Reason = now is null ? "it went away while it was read" : "it changed while it was read, so nothing that was read of it counts",
                MayChange = true,
            });
            return;
        }

        using JsonDocument? report = child.End == ChildEnd.Itself && child.ExitCode is { } exitCode && HasReport(exitCode)
            ? Parse(child.Output)
            : null;
        take(report is not null
            ? record with { Outcome = TriageOutcome.Analysed, Report = report.RootElement }
            : Failure(record, child));
    }

    private RecordContent Failure(RecordContent record, ChildResult child) => child.End switch
    {
        ChildEnd.Time =>
            record with { Outcome = TriageOutcome.TimedOut, Reason = $"its analysis was not done after {Seconds(options.Timeout)}",
                Limit = TimeLimit(options.Timeout) },
        ChildEnd.Memory => OutOfMemory(record),
        ChildEnd.Output => record with { Reason = "its report is longer than any that is kept" },
        _ when child.ExitCode == ExitCode.Unreadable =>
            record with { Outcome = TriageOutcome.Unreadable, Reason = child.LastError ?? "the analysis gave no reason" },
        _ when OutOfMemoryMessage.IsIn(child.Errors) => OutOfMemory(record),
        _ when IsEndedFromOutside(child) =>
            record with { Outcome = TriageOutcome.Crashed, Reason = OutsideReason(child.ExitCode - SignalBase), MayChange = true },
        _ => record with { Outcome = TriageOutcome.Crashed, Reason = Crash(child) },
    };

    private RecordContent OutOfMemory(RecordContent record) => record with
    {
        Outcome = TriageOutcome.OutOfMemory,
        Reason = string.Create(CultureInfo.InvariantCulture, $"its analysis needs more memory than the limit of {options.Memory >> 20:N0} MiB"),
        Limit = MemoryLimit(options.Memory),
    };

    private static bool IsEndedFromOutside(ChildResult child) =>
        child.End == ChildEnd.Itself && child.ExitCode is { } code && s_outsideSignals.Contains(code - SignalBase);

    private static string OutsideReason(int? signal) => string.Create(
        CultureInfo.InvariantCulture,
        $"its analysis was killed from outside (signal {signal}){(signal == KillSignal ? ", as the system does when memory runs out" : "")}");

    private static string Crash(ChildResult child) => child.ExitCode switch
    {
        null => "its analysis could not be ended",
        > SignalBase and < SignalBase + 65 and var code =>
            string.Create(CultureInfo.InvariantCulture,
                $"its analysis crashed (signal {code - SignalBase}){(child.LastError is { } error ? ": " + error : "")}"),
        { } code => string.Create(CultureInfo.InvariantCulture, $"its analysis failed (exit code {code}): {child.LastError ?? "it gave no reason"}"),
    };

    /// <summary>The report of a run with a failed detector is whole too.</summary>
    private static bool HasReport(int exitCode) => ExitCode.IsAnswer(exitCode) || exitCode == ExitCode.ToolError;

    private static JsonDocument? Parse(ReadOnlyMemory<byte> output)
    {
        try
        {
            var document = JsonDocument.Parse(output);
            if (document.RootElement.Text("schema") == SchemaNames.Report)
            {
                return document;
            }

            document.Dispose();
            return null;
        }
        catch (JsonException)
        {
            return null;
        }
    }

    private static string Seconds(TimeSpan time) => string.Create(CultureInfo.InvariantCulture, $"{time.TotalSeconds:0.###} s");

    private static string TimeLimit(TimeSpan time) => $"time {Seconds(time)}";

    private static string MemoryLimit(long bytes) => string.Create(CultureInfo.InvariantCulture, $"memory {bytes}");

    private static string UnpackLimit(UnpackLimits limits) =>
        string.Create(CultureInfo.InvariantCulture, $"unpack {limits.AlwaysAllowed} {limits.Ratio} {limits.MostBytes}");
}
