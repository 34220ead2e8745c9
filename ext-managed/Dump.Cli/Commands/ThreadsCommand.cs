using System.CommandLine;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Cli.Running;
using Dump.Model.Contract;
using Dump.Model.Process;
using Dump.Reports;
using Dump.Reports.Json;

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
            if (parsed.GetValue(options.Format) == OutputFormat.Json)
            {
                ReportOutput.Json(output => WriteJson(snapshot, parsed.GetValue(tree), output));
            }
            else
            {
                ReportOutput.Text(parsed, options, (output, style) => WriteText(snapshot, parsed.GetValue(tree), output, style));
            }

            return ExitCode.Success;
        });
        return command;
    }

    private static void WriteJson(ProcessSnapshot snapshot, bool isTree, Stream output)
    {
        if (isTree)
        {
            StackTreeReport.WriteJson(snapshot, output);
        }
        else
        {
            JsonReport.Write(HangReports.Facts(snapshot, allStacks: true), output);
        }
    }

    private static void WriteText(ProcessSnapshot snapshot, bool isTree, TextWriter output, TextStyle style)
    {
        if (isTree)
        {
            StackTreeReport.WriteText(snapshot, output, style);
        }
        else
        {
            ThreadsReport.WriteText(snapshot, output, style);
        }
    }
}
