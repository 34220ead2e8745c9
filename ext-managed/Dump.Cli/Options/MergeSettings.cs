using System.CommandLine;
using System.CommandLine.Parsing;
using Dump.Analysis.Merging;
using Dump.Analysis.Rules;
using Dump.Analysis.Rules.Issues;
using Dump.Analysis.Rules.Tags;
using Dump.Model.Facts;
using Dump.Triage.Records;

namespace Dump.Cli.Options;

/// <summary>Options of <c>dumpanalyze merge</c>.</summary>
internal sealed class MergeSettings
{
    private readonly VerdictOptions _verdict;

    /// <summary>Makes the options.</summary>
    public MergeSettings()
    {
        _verdict = new VerdictOptions(Dump);
        Inputs.Validators.Add(result =>
        {
            foreach (string input in (result.GetValueOrDefault<string[]>() ?? []).Where(i => !Directory.Exists(i)))
            {
                result.AddError(File.Exists(input)
                    ? $"{input}: this is a file; name the folder that dumpanalyze triage --out wrote."
                    : $"{input}: there is no such folder.");
            }
        });
    }

    /// <summary>Colours.</summary>
    public DumpOptions Dump { get; } = new();

    /// <summary>Where the records are.</summary>
    public Argument<string[]> Inputs { get; } = new("OUT")
    {
        Description = "Folders that dumpanalyze triage --out has written; of several, for example of several machines, a dump that stands in more than one counts once.",
        Arity = ArgumentArity.OneOrMore,
    };

    /// <summary>The user's own list of explained hangs.</summary>
    public Option<KnownIssues?> Issues { get; } = new("--known-issues")
    {
        Description = "Your own notes on hangs (JSON: docs/known-issues.md), besides the built-in ones.",
        HelpName = "FILE",
        CustomParser = argument => RuleFile.Parse(argument, "--known-issues", KnownIssues.Default.With),
    };

    /// <summary>Where to write the page.</summary>
    public Option<string?> Html { get; } = OutputOption.Create("--html", "Write the overview as one HTML page that needs neither other files nor a network.");

    /// <summary>Where to write the table.</summary>
    public Option<string?> Csv { get; } = OutputOption.Create("--csv", "Write a table with a row for each dump.");

    /// <summary>Where to write the document for programs.</summary>
    public Option<string?> Json { get; } = OutputOption.Create("--json", "Write the overview for programs (dump-overview/1: docs/json-schema.md).");

    /// <summary>Where to write test results.</summary>
    public Option<string?> JUnit { get; } = OutputOption.Create("--junit",
        "Write test results for a build server: each hang at or above --fail-on is a failed test.");

    /// <summary>Where to write findings.</summary>
    public Option<string?> Sarif { get; } = OutputOption.Create("--sarif", "Write findings in SARIF 2.1.0, for code-scanning pages.");

    /// <summary>What makes the exit code tell.</summary>
    public Option<Confidence?> FailOn => _verdict.FailOn;

    /// <summary>Adds them.</summary>
    public void AddTo(Command command)
    {
        command.Arguments.Add(Inputs);
        foreach (Option option in new Option[] { _verdict.Modules, Issues, _verdict.Tags, Html, Csv, Json, JUnit, Sarif, FailOn, Dump.NoColor })
        {
            command.Options.Add(option);
        }

        command.Validators.Add(RefuseOverwriting);
    }

    /// <summary>Two outputs in one file, and outputs where runs keep their results: each would destroy what is there.</summary>
    private void RefuseOverwriting(CommandResult result)
    {
        StringComparer comparer = ReportFile.PlaceComparer;
        Dictionary<string, string> taken = new(comparer);
        string[] folders = [.. (result.GetValue(Inputs) ?? []).Where(i => i.Length > 0).Select(i => ReportFile.Place(i))];
        foreach (Option<string?> option in new[] { Html, Csv, Json, JUnit, Sarif })
        {
            if (result.GetValue(option) is not { Length: > 0 } given)
            {
                continue;
            }

            string path = ReportFile.Place(given);
            if (!ReportFile.IsStream(given) && !taken.TryAdd(path, option.Name))
            {
                result.AddError($"{option.Name} {given}: {taken[path]} writes that file already.");
            }

            if (folders.Any(f => RunFiles.Claims(f, path, comparer)))
            {
                result.AddError($"{option.Name} {given}: runs of triage keep their results there; name another file.");
            }
        }
    }

    /// <summary>The rules, from a parsed command line.</summary>
    public OverviewOptions Rules(ParseResult parsed) => OverviewOptions.Default with
    {
        KnownModules = parsed.GetValue(_verdict.Modules) ?? KnownModules.Default,
        KnownIssues = parsed.GetValue(Issues) ?? KnownIssues.Default,
        Tags = parsed.GetValue(_verdict.Tags) ?? StackTags.Default,
    };
}
