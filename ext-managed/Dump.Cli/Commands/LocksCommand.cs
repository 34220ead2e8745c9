using System.CommandLine;
using Dump.Analysis;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Cli.Running;
using Dump.Model.Contract;
using Dump.Model.Process;
using Dump.Reports;

namespace Dump.Cli.Commands;

/// <summary><c>dumpanalyze locks FILE</c>: which locks are held or waited for, by whom.</summary>
internal static class LocksCommand
{
    public static Command Create()
    {
        DumpOptions options = new();
        Command command = new("locks", "Prints locks of every kind that are held or waited for, with owner and waiters; the most contended first.");
        options.AddWithSymbolsTo(command);
        command.Options.Add(options.FirstLook);
        BackgroundAction.Set(command, (parsed, cancellation) =>
        {
            ProcessSnapshot snapshot = DumpLoader.Load(parsed, options, cancellation);
            ReportOutput.Document(parsed, options, ListDocuments.Locks(snapshot, HeldLocks.Find(snapshot)), LocksReport.Write);
            return parsed.GetValue(options.FirstLook) && AnswerExitCode.MoreMightTell(snapshot, null) ? ExitCode.Undecidable : ExitCode.Success;
        });
        return command;
    }
}
