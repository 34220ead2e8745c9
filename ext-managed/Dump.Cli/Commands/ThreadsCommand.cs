using System.CommandLine;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Cli.Running;
using Dump.Model.Contract;
using Dump.Model.Process;
using Dump.Reports;

namespace Dump.Cli.Commands;

/// <summary><c>dumpanalyze threads FILE</c>: all stacks, as a list or as one tree.</summary>
internal static class ThreadsCommand
{
    public static Command Create()
    {
        DumpOptions options = new();
        Option<bool> tree = new("--tree") { Description = "Merge all stacks from their outermost frames on, and print the number of threads at each branch." };
        Command command = new("threads", "Prints all threads with stacks, CPU times and waits; identical stacks once.");
        options.AddWithSymbolsTo(command);
        command.Options.Add(tree);
        BackgroundAction.Set(command, (parsed, cancellation) =>
        {
            ProcessSnapshot snapshot = DumpLoader.Load(parsed, options, cancellation);
            if (parsed.GetValue(tree))
            {
                ReportOutput.Document(parsed, options, ListDocuments.Tree(snapshot), StackTreeReport.Write);
            }
            else
            {
                ReportOutput.Document(parsed, options, HangReports.Facts(snapshot, allStacks: true), ThreadsReport.Write);
            }

            return ExitCode.Success;
        });
        return command;
    }
}
