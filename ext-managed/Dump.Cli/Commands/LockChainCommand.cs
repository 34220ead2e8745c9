using System.CommandLine;
using Dump.Analysis;
using Dump.Analysis.Detection;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Cli.Running;
using Dump.Model.Contract;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Reports;

namespace Dump.Cli.Commands;

/// <summary><c>dumpanalyze lockchain FILE</c>, <c>lockchain live PID</c>: who waits for whom, from one thread or from all.</summary>
internal static class LockChainCommand
{
    public static Command Create()
    {
        DumpOptions options = new();
        Option<ThreadReference?> thread = new("--thread")
        {
            Description = "Follow only this thread: its number or id as in reports, such as 1, ~1, 0xc4, c4, or 4711 on Linux. Default: all waits, as a tree.",
            HelpName = "TID",
            CustomParser = OptionValue.Thread,
        };
        Command command = new("lockchain", "Prints which thread waits for which: all waits as a tree, or the chain of one thread.");
        options.AddWithSymbolsTo(command);
        command.Options.Add(thread);
        command.Options.Add(options.FirstLook);
        BackgroundAction.Set(command, (parsed, cancellation) =>
        {
            ProcessSnapshot snapshot = DumpLoader.Load(parsed, options, cancellation);
            int exitCode = Report(parsed, options, snapshot, parsed.GetValue(thread));
            return exitCode == ExitCode.Success && parsed.GetValue(options.FirstLook) && snapshot.MoreMightTell ? ExitCode.Undecidable : exitCode;
        });
        command.Subcommands.Add(LiveFacts.Create(
            "Prints which thread waits for which in a live process, which is stopped while it is read.",
            _ => null, (parsed, form, snapshot) => Report(parsed, form, snapshot, parsed.GetValue(thread)), thread));
        return command;
    }

    private static int Report(ParseResult parsed, DumpOptions options, ProcessSnapshot snapshot, ThreadReference? thread)
    {
        string? problem = null;
        uint? id = thread?.Find([.. snapshot.Threads.Select(t => (t.Index, t.Id))], snapshot.System.Family, out problem);
        if (problem is not null)
        {
            Console.Error.WriteLine($"dumpanalyze: {problem}");
            return ExitCode.Usage;
        }

        AnalysisContext context = new(snapshot);
        ChainDocument document = ListDocuments.Chains(snapshot, WaitChains.Find(context, id), id is null ? WaitTrees.Find(context) : []);
        ReportOutput.Document(parsed, options, document, ChainsReport.Write);
        return ExitCode.Success;
    }
}
