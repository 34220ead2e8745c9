using System.CommandLine;
using Dump.Analysis;
using Dump.Model;
using Dump.Reports;

namespace Dump.Cli.Commands;

/// <summary><c>dumpanalyze FILE</c>: the verdict.</summary>
internal static class AnalyzeCommand
{
    /// <summary>Makes the root command.</summary>
    public static RootCommand CreateRoot()
    {
        DumpOptions options = new();
        Option<StackSelection?> stacks = ChoiceOption.Create<StackSelection>("--stacks", "Stacks to print: evidence (default) or all", "evidence", "all");
        Option<Confidence?> failOn = ChoiceOption.Create<Confidence>(
            "--fail-on", "Weakest confidence that makes the exit code tell: confirmed, likely (default) or suspected", "confirmed", "likely", "suspected");
        RootCommand root = new("""
            Says why a process hangs, from a Windows minidump or a Linux core of a .NET process:
            a verdict in words with the stacks that prove it.

            Examples:
              dumpanalyze hang.dmp
              dumpanalyze hang.dmp --stacks all
              dumpanalyze hang.dmp --format json
              dumpanalyze hang.dmp --symbols "C:\build\bin;srv*C:\symbols*https://symbols.example"
              dumpanalyze lockchain hang.dmp --thread 0x1a4

            Exit code: 0 nothing found, 10 confirmed, 11 likely, 12 suspected (with --fail-on suspected),
            13 cannot decide because data are missing, 3 dump unreadable, 2 wrong usage, 1 error of this program.
            """);
        options.AddWithSymbolsTo(root);
        root.Options.Add(stacks);
        root.Options.Add(failOn);
        BackgroundAction.Set(root, (parsed, cancellation) => Run(parsed, options, parsed.GetValue(stacks) == StackSelection.All, parsed.GetValue(failOn) ?? Confidence.Likely, cancellation));
        return root;
    }

    private static int Run(ParseResult parsed, DumpOptions options, bool allStacks, Confidence failOn, CancellationToken cancellation)
    {
        ProcessSnapshot snapshot = DumpLoader.Load(parsed, options, cancellation);
        AnalysisResult result = HangAnalysis.Run(snapshot);
        if (parsed.GetValue(options.Format) == OutputFormat.Json)
        {
            ReportOutput.Json(output => JsonReport.Write(snapshot, result, output, allStacks));
        }
        else
        {
            TextStyle style = ReportOutput.Style(parsed, options);
            ReportOutput.Text(output => TextReport.Write(snapshot, result, output, style, allStacks));
        }

        return ExitCodes.Of(result, failOn);
    }
}
