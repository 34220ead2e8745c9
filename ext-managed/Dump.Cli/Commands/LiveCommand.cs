using System.CommandLine;
using System.Globalization;
using Dump.Capture;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Cli.Running;
using Dump.Engine;
using Dump.Model.Contract;
using Dump.Model.Facts;

namespace Dump.Cli.Commands;

/// <summary><c>dumpanalyze live PID</c>: the verdict on a process that is still alive.</summary>
internal static class LiveCommand
{
    public static Command Create()
    {
        LiveOptions options = new();
        Command command = new(
            LiveOptions.CommandName,
            "Says why a live process hangs: stops it, reads it and resumes it. Leaves no file behind except that of --keep.");
        options.AddTo(command);
        BackgroundAction.Set(command, (parsed, cancellation) => Run(parsed, options, cancellation));
        return command;
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

        // Its id means this process also for what is followed.
        using IDisposable? kept = LivingProcesses.Keep(process);
        LivingSettings settings = options.Settings(parsed);
        LivingJudgement judgement = Look(parsed, options, process, settings, cancellation);
        LiveSnapshot live = judgement.Live;

        int answer = AnalyzeCommand.Report(parsed, options.Report, live.Snapshot, judgement.Result, AllStacks(judgement));
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
            LivingJudgement other = Look(parsed, options, id, settings with { Look = settings.Look with { KeepPath = null } }, cancellation);
            LiveSnapshot seen = other.Live;
            return (seen, AnalyzeCommand.Report(parsed, options.Report, seen.Snapshot, other.Result, AllStacks(other), isFirst: false));
        }

        void Tell(string line) => ReportOutput.Text(parsed, options.Report.Dump, (output, _) =>
        {
            output.WriteLine();
            output.WriteLine(line);
        });
    }

    /// <summary>Without .NET the threads with their system calls are all there is to say of a Linux process that no verdict is sure of.</summary>
    private static bool AllStacks(LivingJudgement judgement) =>
        !judgement.Live.IsManaged && judgement.Result.Verdicts.All(v => v.Confidence != Confidence.Confirmed);

    private static LivingJudgement Look(ParseResult parsed, LiveOptions options, int process, LivingSettings settings, CancellationToken cancellation)
    {
        LivingJudgement judgement;
        using (TerminalProgress progress = new())
        {
            judgement = LivingSession.Open(process, settings).Judge(options.Report.Rules(parsed), progress, cancellation);
        }

        if (judgement.NoSecondLook is { } reason)
        {
            Console.Error.WriteLine($"dumpanalyze: a second look was not possible: {reason}");
        }

        TellStop(judgement.Live);
        return judgement;
    }
}
