using System.CommandLine;
using System.Globalization;
using Dump.Analysis;
using Dump.Capture;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Cli.Running;
using Dump.Readers;

namespace Dump.Cli.Commands;

/// <summary><c>dumpanalyze live PID</c>: the verdict on a process that is still alive.</summary>
internal static class LiveCommand
{
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
            throw new InvalidDumpException("living processes are read on Linux only; on Windows write a dump: procdump -ma PID");
        }

        LiveSnapshot live = Read(parsed, options, cancellation);
        if (live.StoppedFor > TimeSpan.Zero)
        {
            Console.Error.WriteLine(string.Create(CultureInfo.InvariantCulture,
                $"dumpanalyze: process {live.Snapshot.ProcessId} was stopped for {live.StoppedFor.TotalMilliseconds:0} ms and runs on"));
        }

        // Without .NET the threads with their system calls are all there is to say.
        return AnalyzeCommand.Report(parsed, options.Report, live.Snapshot,
            HangAnalysis.Run(live.Snapshot, options.Report.Analysis(parsed), parsed.GetValue(options.Report.Only)), allStacks: !live.IsManaged);
    }

    [System.Runtime.Versioning.SupportedOSPlatform("linux")]
    private static LiveSnapshot Read(ParseResult parsed, LiveOptions options, CancellationToken cancellation)
    {
        using TerminalProgress progress = new();
        return LiveSnapshotReader.Read(parsed.GetRequiredValue(options.Process), options.ReadOptions(parsed), progress, cancellation);
    }
}
