using System.CommandLine;
using Dump.Analysis;
using Dump.Analysis.Pairs;
using Dump.Analysis.Rules.Issues;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Cli.Running;
using Dump.Model.Contract;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Verdicts;
using Dump.Reports;
using Dump.Reports.Html;

namespace Dump.Cli.Commands;

/// <summary><c>dumpanalyze FILE</c>: the verdict.</summary>
internal static class AnalyzeCommand
{
    public static RootCommand CreateRoot()
    {
        DumpOptions options = new();
        VerdictOptions report = new(options);
        RootCommand root = new("""
            Says why a process hangs, from a Windows minidump or a Linux core: the verdict, and the stacks that prove it.

            Examples:
              dumpanalyze hang.dmp
              dumpanalyze first.dmp second.dmp
              dumpanalyze hang_1.dmp hang_2.dmp hang_3.dmp
              dumpanalyze live 4711
              dumpanalyze hang.dmp --stacks all
              dumpanalyze hang.dmp --format json
              dumpanalyze hang.dmp --html hang.html
              dumpanalyze hang.dmp --symbols "C:\build\bin;srv*C:\symbols*https://symbols.example"
              dumpanalyze lockchain hang.dmp --thread 0x1a4
              dumpanalyze dictloop hang.core --heap

            Exit code: 0 nothing found, 10 Confirmed, 11 Likely, 12 Suspected, 14 crashed, not hung,
            13 cannot decide because data are missing, 3 dump unreadable, 2 wrong usage, 1 error of this program.
            """);
        options.AddWithSymbolsTo(root);
        root.Arguments.Add(options.Further);
        report.AddTo(root);
        root.Options.Add(options.FirstLook);
        root.Validators.Add(result =>
        {
            if (result.GetResult(options.Further) is { Tokens.Count: > 0 } && result.GetResult(report.Only) is { Tokens.Count: > 0 })
            {
                result.AddError("--only works on one dump; leave it out, or give one dump.");
            }
        });
        BackgroundAction.Set(root, (parsed, cancellation) => Run(parsed, options, report, cancellation));
        return root;
    }

    /// <summary>Prints snapshot and judgement in the wanted form.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="options">Its options.</param>
    /// <param name="snapshot">The facts.</param>
    /// <param name="result">The judgement.</param>
    /// <param name="allStacks">True to print all stacks.</param>
    /// <param name="isFirst">False for a process that was followed to: the page is that of the first one.</param>
    /// <returns>The exit code.</returns>
    public static int Report(
        ParseResult parsed, VerdictOptions options, ProcessSnapshot snapshot, AnalysisResult result, bool allStacks = false, bool isFirst = true)
    {
        snapshot = parsed.GetValue(options.Tags)?.Label(snapshot) ?? snapshot;
        allStacks |= parsed.GetValue(options.Stacks) == StackSelection.All;
        ReportOutput.Document(parsed, options.Dump, Annotated(allStacks),
            parsed.GetValue(options.Brief) ? TextReport.WriteBrief : TextReport.Write);
        if (isFirst && parsed.GetValue(options.Html) is { } page)
        {
            ReportFile.WriteText(page, output => HangReportPage.Write(Annotated(allStacks: true), output, parsed.GetValue(options.SourceLinks)));
        }

        return AnswerExitCode.Of(result, options.FailsOn(parsed));

        // The list of known issues is read only where there is a verdict to explain.
        HangReport Annotated(bool allStacks) => HangReports.Of(snapshot, result, allStacks) is var report && report.Verdicts.IsEmpty
            ? report
            : (parsed.GetValue(options.Issues) ?? KnownIssues.Default).Annotate(report);
    }

    private static int Run(ParseResult parsed, DumpOptions options, VerdictOptions report, CancellationToken cancellation)
    {
        if (parsed.GetValue(options.Further) is { Length: > 0 } further)
        {
            return RunSeries(parsed, further, report, cancellation);
        }

        ProcessSnapshot snapshot = DumpLoader.Load(parsed, options, cancellation, ManagedQuestions.OfVerdict);
        AnalysisResult result = HangAnalysis.Run(snapshot, report.Analysis(parsed), parsed.GetValue(report.Only));
        int exitCode = Report(parsed, report, snapshot, result);
        return parsed.GetValue(options.FirstLook) && AnswerExitCode.MoreMightTell(snapshot, result) ? ExitCode.Undecidable : exitCode;
    }

    private static int RunSeries(ParseResult parsed, string[] further, VerdictOptions report, CancellationToken cancellation)
    {
        if (SeriesLoader.Load(parsed, report.Dump, further, cancellation, ManagedQuestions.OfVerdict) is not { } series)
        {
            return ExitCode.Usage;
        }

        PairResult result = SeriesAnalysis.Run(series, report.Analysis(parsed));
        return Report(parsed, report, result.Snapshot, result.Result);
    }
}
