using System.CommandLine;
using Dump.Analysis;
using Dump.Analysis.Looks;
using Dump.Analysis.Pairs;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Cli.Running;
using Dump.Model.Contract;
using Dump.Model.Facts;
using Dump.Model.Process;
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
              dumpanalyze live 4711
              dumpanalyze hang.dmp --stacks all
              dumpanalyze hang.dmp --format json
              dumpanalyze hang.dmp --html hang.html
              dumpanalyze hang.dmp --symbols "C:\build\bin;srv*C:\symbols*https://symbols.example"
              dumpanalyze lockchain hang.dmp --thread 0x1a4
              dumpanalyze dictloop hang.core --heap

            Exit code: 0 nothing found, 10 Confirmed, 11 Likely, 12 Suspected (with --fail-on suspected),
            13 cannot decide because data are missing, 3 dump unreadable, 2 wrong usage, 1 error of this program.
            """);
        options.AddWithSymbolsTo(root);
        root.Arguments.Add(options.Second);
        report.AddTo(root);
        root.Options.Add(options.FirstLook);
        root.Validators.Add(result =>
        {
            if (result.GetResult(options.Second) is { Tokens.Count: > 0 } && result.GetResult(report.Only) is { Tokens.Count: > 0 })
            {
                result.AddError("--only works on one dump; leave it out, or give one dump.");
            }
        });
        BackgroundAction.Set(root, (parsed, cancellation) => Run(parsed, options, report, cancellation));
        return root;
    }

    /// <summary>Prints snapshot and judgement in the wanted form.</summary>
    /// <returns>The exit code.</returns>
    public static int Report(ParseResult parsed, VerdictOptions options, ProcessSnapshot snapshot, AnalysisResult result, bool allStacks = false)
    {
        snapshot = parsed.GetValue(options.Tags)?.Label(snapshot) ?? snapshot;
        allStacks |= parsed.GetValue(options.Stacks) == StackSelection.All;
        ReportOutput.Document(parsed, options.Dump, HangReports.Of(snapshot, result, allStacks), TextReport.Write);
        if (parsed.GetValue(options.Html) is { } page)
        {
            ReportFile.WriteText(page, output => HangReportPage.Write(HangReports.Of(snapshot, result, allStacks: true), output));
        }

        return AnswerExitCode.Of(result, parsed.GetValue(options.FailOn) ?? Confidence.Likely);
    }

    private static int Run(ParseResult parsed, DumpOptions options, VerdictOptions report, CancellationToken cancellation)
    {
        if (parsed.GetValue(options.Second) is { } second)
        {
            return RunPair(parsed, second, report, cancellation);
        }

        ProcessSnapshot snapshot = DumpLoader.Load(parsed, options, cancellation);
        AnalysisResult result = HangAnalysis.Run(snapshot, report.Analysis(parsed), parsed.GetValue(report.Only));
        int exitCode = Report(parsed, report, snapshot, result);
        return parsed.GetValue(options.FirstLook) && AnswerExitCode.MoreMightTell(snapshot, result) ? ExitCode.Undecidable : exitCode;
    }

    private static int RunPair(ParseResult parsed, string second, VerdictOptions report, CancellationToken cancellation)
    {
        string[] paths = [parsed.GetRequiredValue(report.Dump.File), second];
        ProcessSnapshot[] snapshots = [.. paths.Select(p => DumpLoader.Load(p, parsed, report.Dump, cancellation))];
        if (snapshots.Any(s => s.Source.Captured is null) && File.GetLastWriteTimeUtc(paths[0]) > File.GetLastWriteTimeUtc(paths[1]))
        {
            // Cores of other writers do not say when they were captured; their files do, as long as they were not copied.
            Array.Reverse(snapshots);
        }

        if (SnapshotPair.Create(snapshots[0], snapshots[1], out string? difference) is not { } pair)
        {
            Console.Error.WriteLine($"dumpanalyze: these are not two dumps of one process: {difference}; analyse each one alone");
            return ExitCode.Usage;
        }

        PairResult result = PairAnalysis.Run(pair, report.Analysis(parsed));
        return Report(parsed, report, result.Snapshot, result.Result);
    }
}
