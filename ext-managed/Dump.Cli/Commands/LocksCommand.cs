using System.CommandLine;
using Dump.Analysis;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Cli.Running;
using Dump.Model.Contract;
using Dump.Model.Process;
using Dump.Reports;

namespace Dump.Cli.Commands;

/// <summary><c>dumpanalyze locks FILE</c>, <c>locks live PID</c>: which locks are held or waited for, by whom.</summary>
internal static class LocksCommand
{
    public static Command Create()
    {
        DumpOptions options = new();
        Command command = new("locks", "Prints locks that are held or waited for, with owner and waiters, the most contended first. "
            + "Several dumps show since when they are held.");
        options.AddWithSymbolsTo(command);
        command.Arguments.Add(options.Further);
        command.Options.Add(options.FirstLook);
        BackgroundAction.Set(command, (parsed, cancellation) => Run(parsed, options, cancellation));
        command.Subcommands.Add(LiveFacts.Create(
            "Prints the locks of a live process that are held or waited for. It is stopped while it is read.", _ => null, Report));
        return command;
    }

    private static int Run(ParseResult parsed, DumpOptions options, CancellationToken cancellation)
    {
        if (parsed.GetValue(options.Further) is { Length: > 0 } further)
        {
            if (DumpLoader.LoadSeries(parsed, options, further, cancellation) is not { Looks: var series })
            {
                return ExitCode.Usage;
            }

            ProcessSnapshot last = series.Last with { Source = series.Last.Source with { Earlier = series.Snapshots[0].Source } };
            ReportOutput.Document(parsed, options, ListDocuments.Locks(last, HeldLocks.Find(series)), LocksReport.Write);
            return ExitCode.Success;
        }

        ProcessSnapshot snapshot = DumpLoader.Load(parsed, options, cancellation);
        int exitCode = Report(parsed, options, snapshot);
        return parsed.GetValue(options.FirstLook) && snapshot.MoreMightTell ? ExitCode.Undecidable : exitCode;
    }

    private static int Report(ParseResult parsed, DumpOptions options, ProcessSnapshot snapshot)
    {
        ReportOutput.Document(parsed, options, ListDocuments.Locks(snapshot, HeldLocks.Find(snapshot)), LocksReport.Write);
        return ExitCode.Success;
    }
}
