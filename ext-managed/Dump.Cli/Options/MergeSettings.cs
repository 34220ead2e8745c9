using System.CommandLine;
using System.CommandLine.Parsing;
using Dump.Analysis.Merging;
using Dump.Analysis.Rules;
using Dump.Analysis.Rules.Tags;
using Dump.Model.Facts;
using Dump.Reports.Html;
using Dump.Triage.Records;

namespace Dump.Cli.Options;

/// <summary>Options of <c>dumpanalyze merge</c>.</summary>
internal sealed class MergeSettings
{
    private const int MostShown = 10_000;
    private readonly VerdictOptions _verdict;

    public MergeSettings()
    {
        _verdict = new VerdictOptions(Dump, Confidence.Likely);
        Inputs.Validators.Add(result =>
        {
            foreach (string input in (result.GetValueOrDefault<string[]>() ?? []).Where(i => !Path.Exists(i) && !StorePlace.IsAddress(i)))
            {
                result.AddError(input.Length == 0 ? "the name of the folder is empty; name one that dumpanalyze triage --out wrote."
                    : $"{input}: there is no such folder or store; name one that dumpanalyze triage --out or --store wrote.");
            }
        });
    }

    /// <summary>Colours.</summary>
    public DumpOptions Dump { get; } = new();

    public Argument<string[]> Inputs { get; } = new("OUT")
    {
        Description = "Folders and stores that dumpanalyze triage has written, for example on several machines. A dump that is in several counts once.",
        Arity = ArgumentArity.OneOrMore,
    };

    public OutputOption Html { get; } = new("--html", "Write the overview as one HTML page that needs neither other files nor a "
        + "network. Where it shows only the largest groups of a store, FILE.all.html beside it lists all of them, with a search.");

    public OutputOption Csv { get; } = new("--csv", "Write a table with a row for each dump.");

    public OutputOption Json { get; } = new("--json", "Write the overview as JSON (dump-overview/1: docs/json-schema.md).");

    public OutputOption JUnit { get; } = new("--junit",
        "Write JUnit test results for a build server: each hang at or above --fail-on is a failed test.");

    public OutputOption Sarif { get; } = new("--sarif", "Write findings as SARIF 2.1.0, for code-scanning pages.");

    public Option<int?> Largest { get; } = new("--largest")
    {
        Description = "Show only the N largest groups of a store, by what its tables have counted, without reading every record: the text and --html. Stores "
            + "with 10,000 records or more are shown so, with 200 groups, unless --all is given.",
        HelpName = "N",
        CustomParser = OptionValue.Whole(1, MostShown, "number of groups"),
    };

    public Option<bool> All { get; } = new("--all") { Description = "Read every record of a store, however many there are." };

    public Option<string?> Into { get; } = new("--into")
    {
        Description = "Write all records into one place and nothing else: a store, or a folder if the name ends in / or a folder has it.",
        HelpName = "PLACE",
    };

    public Option<string?> Export { get; } = new("--export")
    {
        Description = "Write a line of JSON for each dump into DIR/day=YYYY-MM-DD/dumps.jsonl and nothing else, for DuckDB, Spark or ClickHouse "
            + "(docs/store.md).",
        HelpName = "DIR",
    };

    public Option<SourceLinkTemplate?> SourceLinks => _verdict.SourceLinks;

    public Option<Confidence?> FailOn => _verdict.FailOn;

    /// <summary>Weakest confidence that the exit code reports, from a parsed command line.</summary>
    public Confidence FailsOn(ParseResult parsed) => _verdict.FailsOn(parsed);

    /// <summary>True when an overview of what a store has counted is enough.</summary>
    public bool MayBeCounted(ParseResult parsed) => parsed.GetValue(Largest) is not null
        || (!parsed.GetValue(All) && new[] { Csv, Json, JUnit, Sarif }.All(o => parsed.GetValue(o) is null));

    public void AddTo(Command command)
    {
        command.Arguments.Add(Inputs);
        Option[] all =
        [
            _verdict.Modules, _verdict.Issues, _verdict.Tags, Html, SourceLinks, Csv, Json, JUnit, Sarif, FailOn, Largest, All, Into, Export, Dump.NoColor,
        ];
        foreach (Option option in all)
        {
            command.Options.Add(option);
        }

        command.Validators.Add(RefuseOverwriting);
        command.Validators.Add(RefuseReportsWithCopy);
        command.Validators.Add(result => VerdictOptions.CheckSourceLinks(result, SourceLinks, Html));
    }

    /// <summary>Two outputs in one file, and outputs where runs keep their results: each would destroy what is there.</summary>
    private void RefuseOverwriting(CommandResult result)
    {
        StringComparer comparer = ReportFile.PlaceComparer;
        Dictionary<string, string> taken = new(comparer);
        string[] folders = [.. (GivenValue.Of(result, Inputs) ?? []).Where(i => i.Length > 0).Select(i => ReportFile.Place(i))];
        foreach (OutputOption option in new[] { Html, Csv, Json, JUnit, Sarif })
        {
            if (GivenValue.Of(result, option) is not { Length: > 0 } given)
            {
                continue;
            }

            string path = ReportFile.Place(given);
            if (!ReportFile.IsStream(given) && !taken.TryAdd(path, option.Name))
            {
                result.AddError($"{option.Name} {given}: {taken[path]} writes that file already; name another file.");
            }

            if (folders.Any(f => RunFiles.Claims(f, path, comparer) || path.StartsWith(f, StringComparison.OrdinalIgnoreCase) && IsOfStore(path[f.Length..])))
            {
                result.AddError($"{option.Name} {given}: triage runs keep their results there; name another file.");
            }
        }
    }

    /// <summary>A store is one file, and while it is open two more beside it.</summary>
    private static bool IsOfStore(string ending) => ending is "" or "-wal" or "-shm" or "-journal";

    /// <summary>Copies and exports write no overview beside.</summary>
    private void RefuseReportsWithCopy(CommandResult result)
    {
        foreach (Option<string?> copy in new[] { Into, Export }.Where(o => result.GetResult(o) is not null))
        {
            if (GivenValue.Of(result, copy) is not { Length: > 0 })
            {
                result.AddError($"{copy.Name}: the name is empty; give {(copy == Into ? "a file or a folder" : "a folder")}.");
            }

            foreach (Option<string?> option in new[] { Html, Csv, Json, JUnit, Sarif, Into }.Where(o => o != copy && result.GetResult(o) is not null))
            {
                result.AddError($"{option.Name} with {copy.Name}: {copy.Name} writes nothing else; call merge once for each.");
            }
        }

        if (result.GetResult(Largest) is not null)
        {
            foreach (Option option in new Option[] { Csv, Json, JUnit, Sarif, All, Into, Export }.Where(o => result.GetResult(o) is { Implicit: false }))
            {
                result.AddError($"{option.Name} with --largest: {option.Name} needs every record; leave out one of them.");
            }

            if (GivenValue.Of(result, Inputs) is { } inputs && (inputs.Length > 1 || inputs.Any(Directory.Exists)))
            {
                result.AddError("--largest takes one store; put folders and several stores into one by --into first.");
            }
        }

        if (result.GetResult(Export) is not null && GivenValue.Of(result, Inputs) is { Length: > 1 })
        {
            result.AddError("--export takes one store or folder; put several into one by --into first.");
        }

        if (GivenValue.Of(result, Export) is { } folder && File.Exists(folder))
        {
            result.AddError($"--export {folder}: this is a file; name a folder.");
        }
    }

    /// <summary>The rules, from a parsed command line.</summary>
    public OverviewOptions Rules(ParseResult parsed) => OverviewOptions.Default with
    {
        KnownModules = parsed.GetValue(_verdict.Modules) ?? KnownModules.Default,
        KnownIssues = parsed.GetValue(_verdict.Issues) ?? KnownIssues.Default,
        Tags = parsed.GetValue(_verdict.Tags) ?? StackTags.Default,
    };
}
