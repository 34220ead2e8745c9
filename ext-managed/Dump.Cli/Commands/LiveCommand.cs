using System.CommandLine;
using System.Globalization;
using Dump.Analysis;
using Dump.Capture;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Cli.Running;
using Dump.Model.Contract;
using Dump.Model.Process;
using Dump.Readers;

namespace Dump.Cli.Commands;

/// <summary><c>dumpanalyze live PID</c>: the verdict on a process that is still alive.</summary>
internal static class LiveCommand
{
    /// <summary>Why there is no answer elsewhere.</summary>
    public const string OnLinuxOnly = "living processes are read on Linux only; on Windows write a dump: procdump -ma PID";

    public static Command Create()
    {
        LiveOptions options = new();
        Command command = new(
            LiveOptions.CommandName,
            "Says why a living Linux process hangs: stops it for a fraction of a second, reads it and lets it go, whatever happens meanwhile. "
            + "Writes no file except that of --keep.");
        options.AddTo(command);
        BackgroundAction.Set(command, (parsed, cancellation) => Run(parsed, options, cancellation));
        return command;
    }

    private static int Run(ParseResult parsed, LiveOptions options, CancellationToken cancellation)
    {
        if (!OperatingSystem.IsLinux())
        {
            throw new InvalidDumpException(OnLinuxOnly);
        }

        LiveSnapshot live = Read(parsed, options, cancellation);
        TellStop(live);
        ProcessSnapshot snapshot = options.WithLines(parsed, live.Snapshot, cancellation);

        // Without .NET the threads with their system calls are all there is to say.
        int answer = AnalyzeCommand.Report(parsed, options.Report, snapshot,
            HangAnalysis.Run(snapshot, options.Report.Analysis(parsed), parsed.GetValue(options.Report.Only)), allStacks: !live.IsManaged);
        if (live.NotKept is not { } why)
        {
            return answer;
        }

        Console.Error.WriteLine($"dumpanalyze: the core could not be kept: {why}");
        return ExitCode.ToolError;
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

    [System.Runtime.Versioning.SupportedOSPlatform("linux")]
    private static LiveSnapshot Read(ParseResult parsed, LiveOptions options, CancellationToken cancellation)
    {
        using TerminalProgress progress = new();
        return LiveSnapshotReader.Read(parsed.GetRequiredValue(options.Process), options.ReadOptions(parsed), progress, cancellation);
    }
}
