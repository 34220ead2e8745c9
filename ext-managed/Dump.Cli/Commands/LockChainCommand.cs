using System.CommandLine;
using Dump.Analysis;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Cli.Running;
using Dump.Model.Contract;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Reports;

namespace Dump.Cli.Commands;

/// <summary><c>dumpanalyze lockchain FILE</c>: who waits for whom, from one thread or from all.</summary>
internal static class LockChainCommand
{
    public static Command Create()
    {
        DumpOptions options = new();
        Option<uint?> thread = new("--thread")
        {
            Description = "Follow only the thread with this id, decimal or 0x hexadecimal (default: every waiting thread).",
            HelpName = "TID",
            CustomParser = OptionValue.ThreadId,
        };
        Command command = new("lockchain", "Prints wait chains: what a thread waits for, who holds it, what that one waits for, and so on.");
        options.AddWithSymbolsTo(command);
        command.Options.Add(thread);
        command.Options.Add(options.FirstLook);
        BackgroundAction.Set(command, (parsed, cancellation) => Run(parsed, options, parsed.GetValue(thread), cancellation));
        return command;
    }

    private static int Run(ParseResult parsed, DumpOptions options, uint? thread, CancellationToken cancellation)
    {
        ProcessSnapshot snapshot = DumpLoader.Load(parsed, options, cancellation);
        if (thread is { } id && !snapshot.Threads.Any(t => t.Id == id))
        {
            string file = SafeText.Clean(parsed.GetRequiredValue(options.File));
            Console.Error.WriteLine($"dumpanalyze: there is no thread 0x{id:x} in this dump; to list its threads: dumpanalyze threads {file}");
            return ExitCode.Usage;
        }

        ReportOutput.Document(parsed, options, ListDocuments.Chains(snapshot, WaitChains.Find(snapshot, thread)), ChainsReport.Write);
        return parsed.GetValue(options.FirstLook) && AnswerExitCode.MoreMightTell(snapshot, null) ? ExitCode.Undecidable : ExitCode.Success;
    }
}
