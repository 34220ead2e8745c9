using System.CommandLine;
using Dump.Cli.Context;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Cli.Running;
using Dump.Engine;
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
    /// <summary>The command that is meant where none is named.</summary>
    /// <param name="context">What the run goes by besides its command line.</param>
    public static RootCommand CreateRoot(RunContext context)
    {
        DumpOptions options = new();
        VerdictOptions report = new(options);
        ProgramCommand root = new("""
            Says why a process hangs, from a Windows minidump or a Linux core: the verdict, and the stacks that prove it.

            Examples:
              dumpanalyze hang.dmp
              dumpanalyze first.dmp second.dmp
              dumpanalyze hang_1.dmp hang_2.dmp hang_3.dmp
              dumpanalyze live 4711                (a live process, by its id or name; also dumpanalyze 4711)
              dumpanalyze dumps                    (a folder: a line for each dump)
              dumpanalyze hang.dmp --stacks all
              dumpanalyze hang.dmp --format json
              dumpanalyze hang.dmp --html hang.html
              dumpanalyze hang.dmp --symbols "C:\build\bin;srv*C:\symbols*https://symbols.example"
              dumpanalyze lockchain hang.dmp --thread 0x1a4
              dumpanalyze dictloop hang.core --heap

            Exit code: 0 nothing found, 10 Confirmed, 11 Likely, 12 Suspected, 14 crashed, not hung,
            13 cannot decide because data are missing, 3 dump unreadable, 2 wrong usage, 1 error of this program.
            """, context);
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
            ReportFile.WriteText(page, output => HangReportPage.Write(Annotated(allStacks: true), output, parsed.GetValue(options.SourceLinks), ReportOutput.Origin(parsed)));
        }

        return AnswerExitCode.Of(result, options.FailsOn(parsed));

        HangReport Annotated(bool allStacks) => VerdictOptions.Annotated(HangReports.Of(snapshot, result, allStacks), parsed.GetValue(options.Issues));
    }

    private static int Run(ParseResult parsed, DumpOptions options, VerdictOptions report, CancellationToken cancellation)
    {
        if (parsed.GetValue(options.Further) is { Length: > 0 } further)
        {
            return DumpLoader.LoadSeries(parsed, options, further, cancellation, ManagedQuestions.OfVerdict)?.Judge(report.Rules(parsed)) is { } several
                ? Report(parsed, report, several.Snapshot, several.Result)
                : ExitCode.Usage;
        }

        Judgement judgement = DumpLoader.Judge(parsed, options, report.Rules(parsed), cancellation);
        int exitCode = Report(parsed, report, judgement.Snapshot, judgement.Result);
        return parsed.GetValue(options.FirstLook) && judgement.MoreMightTell ? ExitCode.Undecidable : exitCode;
    }
}
