using System.CommandLine;
using System.Globalization;
using System.Reflection;
using Dump.Analysis;
using Dump.Analysis.Merging;
using Dump.Cli.Context;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Cli.Running;
using Dump.Cli.Usage;
using Dump.Model.Contract;
using Dump.Model.Facts;
using Dump.Model.Merging;
using Dump.Model.Text;
using Dump.Reports.Html;
using Dump.Reports.Merging;
using Dump.Triage;
using Dump.Triage.Records;
using Dump.Triage.Runs;

namespace Dump.Cli.Commands;

/// <summary><c>dumpanalyze merge OUT...</c>: what the records of triage show together.</summary>
internal static class MergeCommand
{
    private const int ShownWarnings = 20;

    public static Command Create()
    {
        MergeSettings settings = new();
        TeachingCommand command = new(
            "merge",
            "Groups the records that triage wrote: each hang once, with its number of dumps.",
            """
            Groups the records that triage wrote: each hang once, with its number of dumps, its dates, its machines and an
            example. Says what could not be decided, and how to capture it. Reads no dump again: other rules (tags, known
            modules) apply in moments.

            Examples:
              dumpanalyze merge triage
              dumpanalyze merge triage --html triage.html --csv triage.csv
              dumpanalyze merge triage --junit hangs.xml --sarif hangs.sarif --fail-on likely
              dumpanalyze merge machine1/triage machine2/triage --known-modules ours.json
              dumpanalyze merge hangs.db --html hangs.html
              dumpanalyze merge machine1.db machine2.db --into all.db

            Exit code, by the strongest verdict of all, as for triage: 10 Confirmed, 11 Likely, 12 Suspected (with
            --fail-on suspected), 13 nothing found but some dumps cannot be decided, failed or are missing (a run did not
            end, a part of one is missing, files were passed over), 0 otherwise, 2 wrong usage, 3 a folder without
            records, or no store of this program, 1 error of this program. With --into and --export: 0 when all was
            written, 13 when damaged records were left out.
            """);
        settings.AddTo(command);
        BackgroundAction.Set(command, (parsed, _) => Run(parsed, settings));
        return command;
    }

    private static int Run(ParseResult parsed, MergeSettings settings)
    {
        string[] inputs = [.. parsed.GetRequiredValue(settings.Inputs).Distinct(StringComparer.Ordinal)];
        if (parsed.GetValue(settings.Into) is { } into)
        {
            return RecordCopy.Run(inputs, into);
        }

        if (parsed.GetValue(settings.Export) is { } export)
        {
            return DayExport.Run(inputs[0], export);
        }

        bool withholds = RunContext.Of(parsed).Mark.WithholdsStrings;
        if (inputs is [var place] && !Directory.Exists(place) && settings.MayBeCounted(parsed) && !withholds
            && LargeStore.Overview(place, parsed.GetValue(settings.Largest), settings.Rules(parsed), out IReadOnlyCollection<TriageWarning> gaps)
                is { } counted)
        {
            Warn([.. gaps, .. counted.PassedOver.Select(g => new TriageWarning(g.Path, g.Message))]);
            return Write(parsed, settings, counted with
            {
                PassedOver = [.. gaps.Select(w => new TriageGap(w.Kind, w.Path, w.Message)), .. counted.PassedOver],
            });
        }

        TriageFolders folders;
        try
        {
            folders = Read(inputs);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            Console.Error.WriteLine($"dumpanalyze: {SafeText.Clean(error.Message)}");
            return ExitCode.Unreadable;
        }

        Warn(folders.Warnings);
        TriageOverview overview = TriageOverviews.Of(withholds ? ProcessStrings.Withhold(folders.Records) : folders.Records, settings.Rules(parsed))
            with { PassedOver = [.. folders.Warnings.Where(w => !w.HasRecord).Select(w => new TriageGap(w.Kind, w.Path, w.Message))] };
        return Write(parsed, settings, overview);
    }

    private static int Write(ParseResult parsed, MergeSettings settings, TriageOverview overview)
    {
        ReportOutput.Text(parsed, settings.Dump, (output, style) => OverviewText.Write(overview, output, style));
        Confidence failOn = settings.FailsOn(parsed);
        string? page = parsed.GetValue(settings.Html), search = page is null ? null : SearchFile(page, overview);
        Write(search, output => OverviewSearchPage.Write(overview.Counted!, output, ReportOutput.Origin(parsed)));
        Write(page, output => OverviewPage.Write(overview, output, parsed.GetValue(settings.SourceLinks), Path.GetFileName(search), ReportOutput.Origin(parsed)));
        Write(parsed.GetValue(settings.Csv), output => OverviewCsv.Write(overview, output));
        WriteBytes(parsed.GetValue(settings.Json), output => OverviewJson.Write(overview, output));
        WriteBytes(parsed.GetValue(settings.JUnit), output => OverviewJUnit.Write(overview, failOn, output));
        WriteBytes(parsed.GetValue(settings.Sarif), output => OverviewSarif.Write(overview, Tool(), failOn, output));
        return AnswerExitCode.Of(TriageCounts.Of(overview), failOn);
    }

    /// <summary>The file beside a page that lists the groups which the page leaves out; null where it shows all.</summary>
    private static string? SearchFile(string page, TriageOverview overview) =>
        overview.Counted is { } counted && counted.Buckets.Length > overview.Hangs.Length + overview.Others.Length
            ? Path.ChangeExtension(page, null) + ".all.html" : null;

    private static TriageFolders Read(string[] inputs)
    {
        List<IRecordStore> stores = [];
        try
        {
            stores.AddRange(inputs.Where(i => !Directory.Exists(i)).Select(Stores.ReadDatabase));
            return TriageFolders.Read(inputs.Where(Directory.Exists), stores);
        }
        finally
        {
            stores.ForEach(s => s.Dispose());
        }
    }

    private static SarifTool Tool() => new(
        CommandLines.Version,
        [.. DetectorRegistry.Descriptors.Select(d => new SarifRule(d.Id, d.Title, d.Summary))],
        typeof(MergeCommand).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().FirstOrDefault(a => a.Key == "DocumentationUrl")?.Value is { } address
            ? new Uri(address) : null);

    private static void WriteBytes(string? path, Action<Stream> write)
    {
        if (path is not null)
        {
            ReportFile.Write(path, write);
        }
    }

    private static void Write(string? path, Action<TextWriter> write)
    {
        if (path is not null)
        {
            ReportFile.WriteText(path, write);
        }
    }

    private static void Warn(IReadOnlyCollection<TriageWarning> warnings)
    {
        foreach (TriageWarning warning in warnings.Take(ShownWarnings))
        {
            Console.Error.WriteLine($"dumpanalyze: {warning.Path}: {warning.Message}");
        }

        if (warnings.Count > ShownWarnings)
        {
            Console.Error.WriteLine(string.Create(CultureInfo.InvariantCulture, $"dumpanalyze: {warnings.Count - ShownWarnings} more warnings"));
        }
    }
}
