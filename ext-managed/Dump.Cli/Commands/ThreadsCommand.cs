using System.CommandLine;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Cli.Running;
using Dump.Model.Contract;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Reports;

namespace Dump.Cli.Commands;

/// <summary><c>dumpanalyze threads FILE</c>, <c>threads live PID</c>: all stacks, as a list or as one tree.</summary>
internal static class ThreadsCommand
{
    public static Command Create()
    {
        DumpOptions options = new();
        Option<bool> tree = new("--tree") { Description = "Merge all stacks from their outermost frames on, and print the number of threads at each branch." };
        Option<ThreadOrdering?> sort = ChoiceOption.Create<ThreadOrdering>(
            "--sort", "In which order to print the threads: dump, as the dump lists them, or cpu, by CPU time, the most first.", "dump", "cpu");
        Command command = new("threads", "Prints all threads with stacks, CPU times and waits. Identical stacks are printed once.");
        options.AddWithSymbolsTo(command);
        command.Options.Add(tree);
        command.Options.Add(sort);
        BackgroundAction.Set(command, (parsed, cancellation) => Report(parsed, options, DumpLoader.Load(parsed, options, cancellation)));
        command.Subcommands.Add(LiveFacts.Create(
            "Prints all threads of a live process, which is stopped while its stacks are read.", _ => null, Report, tree, sort));
        return command;

        int Report(ParseResult parsed, DumpOptions form, ProcessSnapshot snapshot)
        {
            if (parsed.GetValue(tree))
            {
                ReportOutput.Document(parsed, form, ListDocuments.Tree(snapshot), StackTreeReport.Write);
            }
            else
            {
                ProcessReport report = HangReports.Facts(snapshot, allStacks: true);
                bool byTime = parsed.GetValue(sort) == ThreadOrdering.Cpu;
                ReportOutput.Document(parsed, form, byTime ? ThreadsReport.ByTime(report) : report, ThreadsReport.Write);
            }

            return ExitCode.Success;
        }
    }
}
