using System.CommandLine;
using Dump.Model;
using Dump.Reports;

namespace Dump.Cli.Commands;

/// <summary><c>dumpanalyze threads FILE</c>: all stacks.</summary>
internal static class ThreadsCommand
{
    /// <summary>Makes the command.</summary>
    public static Command Create()
    {
        DumpOptions options = new();
        Command command = new("threads", "Prints all threads with stacks, processor times and waits; identical stacks once.");
        options.AddWithSymbolsTo(command);
        BackgroundAction.Set(command, (parsed, cancellation) =>
        {
            ProcessSnapshot snapshot = DumpLoader.Load(parsed, options, cancellation);
            if (parsed.GetValue(options.Format) == OutputFormat.Json)
            {
                ReportOutput.Json(output => JsonReport.Write(snapshot, null, output, allStacks: true));
            }
            else
            {
                TextStyle style = ReportOutput.Style(parsed, options);
                ReportOutput.Text(output => ThreadsReport.WriteText(snapshot, output, style));
            }

            return ExitCodes.Success;
        });
        return command;
    }
}
