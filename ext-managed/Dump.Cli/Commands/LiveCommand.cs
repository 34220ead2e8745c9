using System.CommandLine;
using System.Globalization;
using Dump.Analysis;
using Dump.Analysis.Looks;
using Dump.Analysis.Pairs;
using Dump.Capture;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Cli.Running;
using Dump.Model.Contract;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Readers;

namespace Dump.Cli.Commands;

/// <summary><c>dumpanalyze live PID</c>: the verdict on a process that is still alive.</summary>
internal static class LiveCommand
{
    /// <summary>Why there is no answer elsewhere.</summary>
    public const string Elsewhere = "living processes are read on Linux and Windows only";

    public static Command Create()
    {
        LiveOptions options = new();
        Command command = new(
            LiveOptions.CommandName,
            "Says why a living process hangs: stops it for a fraction of a second, reads it and lets it go, whatever happens meanwhile. "
            + "Leaves no file behind except that of --keep.");
        options.AddTo(command);
        BackgroundAction.Set(command, (parsed, cancellation) => Run(parsed, options, cancellation));
        return command;
    }

    /// <summary>Reads a process that lives here.</summary>
    /// <exception cref="InvalidDumpException">It cannot be read; the message says why and what to do.</exception>
    public static LiveSnapshot Read(int process, LiveReadOptions options, CancellationToken cancellation)
    {
        using TerminalProgress progress = new();
        return OperatingSystem.IsLinux()
            ? LiveSnapshotReader.Read(process, options with { Warn = risk => Console.Error.WriteLine($"dumpanalyze: {risk}") }, progress, cancellation)
            : OperatingSystem.IsWindows() ? WindowsLiveReader.Read(process, options, progress, cancellation)
            : throw new InvalidDumpException(Elsewhere);
    }

    /// <summary>Says how long the process was stopped.</summary>
    public static void TellStop(LiveSnapshot live)
    {
        if (live.StoppedFor > TimeSpan.Zero)
        {
            (string times, string inAll) = live.Stops > 1 ? ($"{live.Stops} times ", " in all") : ("", "");
            Console.Error.WriteLine(string.Create(CultureInfo.InvariantCulture,
                $"dumpanalyze: process {live.Snapshot.ProcessId} was stopped {times}for {live.StoppedFor.TotalMilliseconds:0} ms{inAll} and runs on"));
        }
    }

    private static int Run(ParseResult parsed, LiveOptions options, CancellationToken cancellation)
    {
        int process = parsed.GetRequiredValue(options.Process);

        // Over both looks, where there are two.
        using IDisposable? kept = LivingProcesses.Keep(process);
        LiveReadOptions settings = options.ReadOptions(parsed);
        (LiveSnapshot live, AnalysisResult result) = Look(parsed, options, process, settings, cancellation);

        // Without .NET the threads with their system calls are all there is to say of a Linux process.
        int answer = AnalyzeCommand.Report(parsed, options.Report, live.Snapshot, result, allStacks: !live.IsManaged);
        if (parsed.GetValue(options.Follow))
        {
            answer = FollowedProcesses.Run(live, answer, Followed, other => AwaitedProcesses.Of(other), Tell);
        }

        if (live.NotKept is not { } why)
        {
            return answer;
        }

        Console.Error.WriteLine($"dumpanalyze: the core could not be kept: {why}");
        return ExitCode.ToolError;

        // Kept and shown as a page is what the command line names.
        (LiveSnapshot Live, int ExitCode) Followed(int id)
        {
            (LiveSnapshot other, AnalysisResult judged) = Look(parsed, options, id, settings with { KeepPath = null }, cancellation);
            return (other, AnalyzeCommand.Report(parsed, options.Report, other.Snapshot, judged, allStacks: !other.IsManaged, isFirst: false));
        }

        void Tell(string line) => ReportOutput.Text(parsed, options.Report.Dump, (output, _) =>
        {
            output.WriteLine();
            output.WriteLine(line);
        });
    }

    private static (LiveSnapshot Live, AnalysisResult Result) Look(
        ParseResult parsed, LiveOptions options, int process, LiveReadOptions settings, CancellationToken cancellation)
    {
        LiveSnapshot live = Lined(settings);
        AnalysisResult result = Judge(live.Snapshot);
        if (live.IsPartial && AnswerExitCode.MoreMightTell(live.Snapshot, result))
        {
            LiveSnapshot full = Lined(settings with { IsFull = true });
            live = full with { StoppedFor = live.StoppedFor + full.StoppedFor, Stops = live.Stops + full.Stops };
            result = Judge(live.Snapshot);
        }

        if (result.AsksForAnotherLook)
        {
            (live, result) = Again(live, result);
        }

        TellStop(live);
        return (live, result);

        // What stands still over several seconds tells more than one moment.
        (LiveSnapshot, AnalysisResult) Again(LiveSnapshot first, AnalysisResult judged)
        {
            using (LivingLine? line = LivingLine.OfErrors())
            {
                line?.Show("looking again in some seconds: a second look tells whether what waits stands still");
                if (cancellation.WaitHandle.WaitOne(LiveOptions.Pause(settings.Interval)))
                {
                    throw new OperationCanceledException(cancellation);
                }
            }

            try
            {
                LiveSnapshot second = Lined(settings with { Samples = new LiveReadOptions().Samples, KeepPath = null, IsFull = settings.IsFull || !first.IsPartial });
                if (SnapshotPair.Create(first.Snapshot, second.Snapshot, out _) is not { } pair)
                {
                    return (first, judged);
                }

                PairResult both = PairAnalysis.Run(pair, options.Report.Analysis(parsed));
                return (second with
                {
                    Snapshot = both.Snapshot, StoppedFor = first.StoppedFor + second.StoppedFor, Stops = first.Stops + second.Stops, NotKept = first.NotKept,
                }, both.Result);
            }
            catch (InvalidDumpException error)
            {
                // It ended meanwhile, or was replaced by another program.
                Console.Error.WriteLine($"dumpanalyze: a second look was not possible: {error.Message}");
                return (first, judged);
            }
        }

        // The sentences of the analysis name lines too.
        LiveSnapshot Lined(LiveReadOptions wanted)
        {
            LiveSnapshot read = ShimQuestion.Ask(Read(process, wanted, cancellation), parsed.GetValue(options.Shim));
            return read with { Snapshot = options.WithLines(parsed, read.Snapshot, cancellation) };
        }

        AnalysisResult Judge(ProcessSnapshot snapshot) =>
            HangAnalysis.Run(snapshot, options.Report.Analysis(parsed), parsed.GetValue(options.Report.Only));
    }
}
