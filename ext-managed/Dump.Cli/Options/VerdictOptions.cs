using System.Collections.Immutable;
using System.CommandLine;
using System.CommandLine.Completions;
using System.CommandLine.Parsing;
using Dump.Analysis;
using Dump.Analysis.Options;
using Dump.Analysis.Rules;
using Dump.Analysis.Rules.Issues;
using Dump.Analysis.Rules.Tags;
using Dump.Engine;
using Dump.Model.Facts;
using Dump.Model.Reported;
using Dump.Model.Text;
using Dump.Reports.Html;

namespace Dump.Cli.Options;

/// <summary>Options of every command that ends in a verdict.</summary>
/// <param name="dump">Options on form and colours.</param>
/// <param name="failOn">Weakest confidence that the exit code reports unless the command line says otherwise.</param>
internal sealed class VerdictOptions(DumpOptions dump, Confidence failOn = Confidence.Suspected)
{
    private static string FamilyList => string.Join(", ", DetectorRegistry.Families);

    private static string Known => $"Families: {FamilyList}; dumpanalyze detectors shows the ids.";

    /// <summary>Form and colours.</summary>
    public DumpOptions Dump { get; } = dump;

    public Option<StackSelection?> Stacks { get; } = ChoiceOption.Create<StackSelection>(
        "--stacks", "Print the stacks that prove a verdict (evidence, default) or all.", "evidence", "all");

    public Option<Confidence?> FailOn { get; } = ChoiceOption.Create<Confidence>(
        "--fail-on",
        "Let the exit code report verdicts of at least this confidence: "
            + $"confirmed, likely{DefaultMark(failOn, Confidence.Likely)} or suspected{DefaultMark(failOn, Confidence.Suspected)}.",
        "confirmed", "likely", "suspected");

    /// <summary>Ids of the detectors to ask; empty for all.</summary>
    public Option<ImmutableArray<string>> Only { get; } = new("--only")
    {
        Description = $"Run only these detectors, by id or family, separated by commas. Families: {FamilyList}. Other hangs are then not looked for.",
        HelpName = "NAMES",
        DefaultValueFactory = _ => [],
        CustomParser = ParseOnly,
    };

    public Option<KnownModules?> Modules { get; } = new("--known-modules")
    {
        Description = "Add your own list of hooks, overlays and security products that load into other processes to the built-in one (docs/known-modules.md).",
        HelpName = "FILE",
        CustomParser = argument => RuleFile.Parse(argument, "--known-modules", KnownModules.Default.With),
    };

    public Option<KnownIssues?> Issues { get; } = new("--known-issues")
    {
        Description = "Add your own notes on known hangs to the built-in ones (JSON: docs/known-issues.md).",
        HelpName = "FILE",
        CustomParser = argument => RuleFile.Parse(argument, "--known-issues", KnownIssues.Default.With),
    };

    public Option<StackTags?> Tags { get; } = new("--stacktags")
    {
        Description = "Label frames with the tags of a .stacktags file of Windows Performance Analyzer, or with the built-in ones: default "
            + "(docs/stack-tags.md).",
        HelpName = "FILE",
        CustomParser = argument => argument.Tokens[0].Value == "default" ? StackTags.Default : RuleFile.Parse(argument, "--stacktags", StackTags.Read),
    };

    public Option<bool> Brief { get; } = new("--brief")
    {
        Description = "Print only the sentences of the verdict and where to look, or that there is none: no chain, no stacks, no advice.",
    };

    public OutputOption Html { get; } = new("--html",
        "Also write the report as a page: one HTML file with the wait graph that needs neither other files nor a network.");

    public Option<SourceLinkTemplate?> SourceLinks { get; } = new("--source-url")
    {
        Description = "Let files and lines on the page lead to this address, for example https://git.example/shop/blob/main/{path}#L{line}.",
        HelpName = "TEMPLATE",
        CustomParser = ParseSourceLinks,
    };

    /// <summary>By which rules to judge, from a parsed command line.</summary>
    public JudgingRules Rules(ParseResult parsed) => new()
    {
        Options = parsed.GetValue(Modules) is { } known ? AnalysisOptions.Default with { KnownModules = known } : AnalysisOptions.Default,
        Only = parsed.GetValue(Only),
    };

    /// <summary>Weakest confidence that the exit code reports, from a parsed command line.</summary>
    public Confidence FailsOn(ParseResult parsed) => parsed.GetValue(FailOn) ?? failOn;

    /// <summary>A report with what is known of its hangs. The list is read only where there is a verdict to explain.</summary>
    /// <param name="report">The report.</param>
    /// <param name="issues">What is known; null for what comes with this program.</param>
    public static HangReport Annotated(HangReport report, KnownIssues? issues = null) =>
        report.Verdicts.IsEmpty ? report : (issues ?? KnownIssues.Default).Annotate(report);

    /// <summary>Adds those for the verdict alone.</summary>
    public void AddTo(Command command)
    {
        Only.CompletionSources.Add(_ => DetectorRegistry.Families.Concat(DetectorRegistry.Descriptors.Select(d => d.Id)).Select(n => new CompletionItem(n)));
        command.Options.Add(Only);
        command.Options.Add(Modules);
        command.Options.Add(Issues);
        command.Options.Add(Tags);
        command.Options.Add(Stacks);
        command.Options.Add(Brief);
        command.Options.Add(FailOn);
        command.Options.Add(Html);
        command.Options.Add(SourceLinks);
        command.Validators.Add(CheckPage);
        command.Validators.Add(CheckBrief);
        command.Validators.Add(result => CheckSourceLinks(result, SourceLinks, Html));
    }

    /// <summary>Links need a page.</summary>
    public static void CheckSourceLinks(CommandResult command, Option<SourceLinkTemplate?> links, Option<string?> html)
    {
        if (command.GetResult(links) is { Tokens.Count: > 0 } && command.GetResult(html) is null)
        {
            command.AddError("--source-url sets the links of the page; add --html FILE.");
        }
    }

    private void CheckBrief(CommandResult command)
    {
        if (GivenValue.Of(command, Brief)
            && (GivenValue.Of(command, Dump.Format) == OutputFormat.Json || GivenValue.Of(command, Stacks) == StackSelection.All))
        {
            string more = GivenValue.Of(command, Stacks) == StackSelection.All ? "--stacks all" : "--format json";
            command.AddError($"--brief leaves out what {more} asks for; give one of both.");
        }
    }

    /// <summary>A slip of the hand must not replace a dump by the page about it.</summary>
    private void CheckPage(CommandResult command)
    {
        if (command.GetResult(Html) is null || GivenValue.Of(command, Html) is not { } page)
        {
            return;
        }

        bool hasDumps = command.Command.Arguments.Contains(Dump.File);
        string?[] dumps = hasDumps ? [GivenValue.Of(command, Dump.File), .. GivenValue.Of(command, Dump.Further) ?? []] : [];
        if (page.Length > 0 && dumps.Any(d => d is { Length: > 0 } && ReportFile.PlaceComparer.Equals(ReportFile.Place(d), ReportFile.Place(page))))
        {
            command.AddError($"--html {page}: this is the dump itself; name another file.");
        }
    }

    private static string DefaultMark(Confidence failOn, Confidence value) => failOn == value ? " (default)" : "";

    private static SourceLinkTemplate? ParseSourceLinks(ArgumentResult argument)
    {
        SourceLinkTemplate? template = SourceLinkTemplate.Parse(argument.Tokens[0].Value, out string? problem);
        if (problem is not null)
        {
            argument.AddError($"--source-url {SafeText.Clean(argument.Tokens[0].Value)}: {problem}.");
        }

        return template;
    }

    private static ImmutableArray<string> ParseOnly(ArgumentResult argument)
    {
        string[] names = argument.Tokens[0].Value.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
        if (names.Length == 0)
        {
            argument.AddError($"--only names no detector. {Known}");
        }

        foreach (string unknown in names.Where(n => DetectorRegistry.Named(n).IsEmpty))
        {
            argument.AddError($"--only: '{SafeText.Clean(unknown)}' is neither the id of a detector nor a family. {Known}");
        }

        return [.. names.SelectMany(n => DetectorRegistry.Named(n)).Distinct().Order(StringComparer.Ordinal)];
    }
}
