using System.Collections.Immutable;
using System.CommandLine;
using System.Globalization;
using System.Text;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Cli.Running;
using Dump.Cli.Usage;
using Dump.Model.Contract;
using Dump.Model.Facts;
using Dump.Model.Merging;
using Dump.Model.Text;
using Dump.Reports.Merging;
using Dump.Triage;
using Dump.Triage.Records;
using Dump.Triage.Runs;
using Dump.Triage.Watching;

namespace Dump.Cli.Commands;

/// <summary><c>dumpanalyze triage DIR... --out DIR</c>: the verdicts on all dumps of folders.</summary>
internal static class TriageCommand
{
    private const int ShownWarnings = 20;

    public static Command Create()
    {
        TriageSettings settings = new();
        TeachingCommand command = new(
            TriageSettings.CommandName,
            "Analyzes all dumps in folders, in processes of their own, and keeps a record of each. merge makes one page of them.",
            """
            Analyzes all dumps in folders, in processes of their own with limits of time and memory, and keeps a
            record of each. Recognizes dumps by their content, also inside zip archives and gzip files. A run that was
            interrupted or killed resumes where it ended and repeats nothing (--again analyzes everything again).

            Examples:
              dumpanalyze dumps                               a line for each dump, at once (triage dumps --list)
              dumpanalyze triage dumps --out triage
              dumpanalyze triage /srv/dumps more.zip -j 8 --out triage --timeout 5min --memory 4GiB
              dumpanalyze triage dumps --out /shared/triage --shard 2/16
              dumpanalyze triage dumps --store hangs.db
              dumpanalyze triage /srv/dumps --out triage --watch --notify-command /usr/local/bin/tell --prune 5
              dumpanalyze merge triage --html triage.html

            Exit code, by the strongest verdict of all: 10 Confirmed, 11 Likely, 12 Suspected (with --fail-on suspected),
            13 nothing found but some dumps cannot be decided, are damaged or could not be analysed, or archives, files or
            folders could not be looked at, 0 otherwise (also when there are no dumps), 2 wrong usage, 3 --store names no
            store of this program, 1 error of this program or a full disk, 130 interrupted. With --shard-index 0 in place
            of 10 to 14; with --watch 0 when it was ended.
            """);
        settings.AddTo(command);
        BackgroundAction.Set(command, (parsed, cancellation) => Run(parsed, settings, cancellation));
        return command;
    }

    /// <summary>True for a command line that asks for a watch, which takes signals itself.</summary>
    public static bool IsWatch(ParseResult parsed) =>
        parsed.CommandResult.Command is { Name: TriageSettings.CommandName } command && command.Options.OfType<Option<bool>>().FirstOrDefault(o => o.Name == WatchSettings.Name)
            is { } watch && parsed.GetValue(watch);

    private static int Run(ParseResult parsed, TriageSettings settings, CancellationToken cancellation)
    {
        TriageOptions options = settings.Read(parsed);
        if (parsed.GetValue(settings.Watching.Watch))
        {
            return Watch(parsed, settings, options, cancellation);
        }

        if (parsed.GetValue(settings.List))
        {
            return List(parsed, settings, options, cancellation);
        }

        TriageSummary summary;
        using (IRecordStore? store = parsed.GetValue(settings.Store) is { } place ? Stores.WriteDatabase(place) : null)
        using (TriageProgressOutput progress = new())
        {
            summary = TriageRun.Run(options, store, progress, cancellation);
        }

        Warn(summary, ": see the summary of the run");
        ReportOutput.Bytes(output => output.Write(Encoding.UTF8.GetBytes(Text(summary, options, parsed.GetValue(settings.Store) ?? options.Output))));
        return parsed.GetValue(settings.Index) is null ? AnswerExitCode.Of(summary.Counts, settings.FailsOn(parsed)) : ExitCode.Success;
    }

    /// <summary>A line for each dump; the records lie in a folder of this run alone, which goes with it.</summary>
    private static int List(ParseResult parsed, TriageSettings settings, TriageOptions options, CancellationToken cancellation)
    {
        using TemporaryFolder folder = TemporaryFolder.Create("dumpanalyze-list-");
        TriageSummary summary;
        using (TriageProgressOutput progress = new())
        {
            summary = TriageRun.Run(options with { Output = folder.Path }, progress, cancellation);
        }

        Warn(summary, "");
        if (summary.Counts.Records == 0)
        {
            Console.Error.WriteLine($"{CommandLines.Program}: {NoDump(summary, options)}");
            return ExitCode.Usage;
        }

        ImmutableArray<TriageRecord> records = TriageFolders.Read([folder.Path]).Records;
        ReportOutput.Text(parsed, settings.Dump, (output, style) => DumpTable.Write(records, summary.Copies, summary.Counts.NotLookedAt, output, style));
        return AnswerExitCode.Of(summary.Counts, settings.FailsOn(parsed));
    }

    private static string NoDump(TriageSummary summary, TriageOptions options) =>
        $"no dump lies in {string.Join(", ", options.Inputs.Select(i => SafeText.Clean(i)))} ({CountText.Of(summary.Files, "file")} looked at)";

    private static void Warn(TriageSummary summary, string where)
    {
        foreach (TriageWarning warning in summary.Warnings.Take(ShownWarnings))
        {
            Console.Error.WriteLine($"dumpanalyze: {warning.Path}: {warning.Message}");
        }

        if (summary.Warnings.Length > ShownWarnings)
        {
            Console.Error.WriteLine($"dumpanalyze: {CountText.Of(summary.Warnings.Length - ShownWarnings, "more warning")}{where}");
        }
    }

    /// <summary>Watches until a signal ends it, which is no failure.</summary>
    private static int Watch(ParseResult parsed, TriageSettings settings, TriageOptions options, CancellationToken cancellation)
    {
        using SignalEnd end = new(cancellation);
        using IRecordStore? store = parsed.GetValue(settings.Store) is { } place ? Stores.WriteDatabase(place) : null;
        using WatchRun watch = new(parsed, settings, options, end.Token);
        Console.Error.WriteLine($"{CommandLines.Program}: watches {string.Join(", ", options.Inputs.Select(i => SafeText.Clean(i)))} until it is ended");
        using TriageProgressOutput progress = new();
        TriageWatch.Run(options, store, watch.Options, progress, end.Token);
        return ExitCode.Success;
    }

    private static string Text(TriageSummary summary, TriageOptions options, string place)
    {
        TriageCounts counts = summary.Counts;
        if (counts.Records == 0)
        {
            return $"{NoDump(summary, options)}\n";
        }

        double seconds = summary.Elapsed.TotalSeconds;
        double rate = (counts.Records - summary.Kept) / Math.Max(seconds, 0.001);
        string copies = $"{summary.Copies} {(summary.Copies == 1 ? "copy" : "copies")} of {(counts.Records == 1 ? "it" : "them")}";
        string part = options.Shard is { } shard ? $" in part {shard.Text}" : "";
        return string.Create(CultureInfo.InvariantCulture, $"""
            {CountText.Of(counts.Records, "dump")}{part}, {copies}; {summary.Kept} had records already; {seconds:0.0} s, {rate:0.0} dumps a second
              {counts.Confirmed,7} confirmed
              {counts.Likely,7} likely
              {counts.Suspected,7} suspected
              {counts.Crashed,7} crashed, not hung
              {counts.Undecidable,7} cannot be decided
              {counts.NothingFound,7} nothing found
              {counts.Failed,7} damaged, not of a kind that is read, or their analysis failed: each record says why
              {counts.NotLookedAt,7} files and folders that may hold dumps could not be looked at: the warnings say why
            One page of all: dumpanalyze merge {SafeText.Clean(place)} --html triage.html

            """);
    }
}
