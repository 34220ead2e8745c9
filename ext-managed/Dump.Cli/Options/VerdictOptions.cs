using System.Collections.Immutable;
using System.CommandLine;
using System.CommandLine.Completions;
using System.CommandLine.Parsing;
using System.Diagnostics.CodeAnalysis;
using System.Text;
using Dump.Analysis;
using Dump.Analysis.Merging;
using Dump.Analysis.Options;
using Dump.Analysis.Rules;
using Dump.Analysis.Rules.Tags;
using Dump.Engine;
using Dump.Model.Facts;
using Dump.Model.Reported;
using Dump.Model.Text;
using Dump.Readers.Files;
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
        Description = "Print only the sentences of the verdict and where to look, without chain, stacks and advice.",
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

/// <summary>Reads a file of rules that the user names: a small text in UTF-8.</summary>
internal static class RuleFile
{
    private const int MostBytes = 4 * 1024 * 1024;

    /// <summary>Reads the file that an option names; what is wrong with it is an error of the command line.</summary>
    /// <param name="argument">The option's value.</param>
    /// <param name="option">The option, with its dashes.</param>
    /// <param name="parse">Makes the rules of the text.</param>
    public static T? Parse<T>(ArgumentResult argument, string option, Func<string, T> parse)
        where T : class
    {
        string path = argument.Tokens[0].Value;
        if (!TryRead(path, parse, out T? rules, out string? problem))
        {
            argument.AddError(path.Length == 0 ? $"{option}: the name is empty; give a file." : $"{option} {path}: {problem}.");
        }

        return rules;
    }

    /// <summary>Reads a file of rules. What is wrong with it is a result, not an exception.</summary>
    /// <param name="path">The file.</param>
    /// <param name="parse">Makes the rules of the text.</param>
    /// <param name="rules">The rules; null when the result is false.</param>
    /// <param name="problem">What is wrong, without a full stop; null when the result is true.</param>
    private static bool TryRead<T>(string path, Func<string, T> parse, [NotNullWhen(true)] out T? rules, [NotNullWhen(false)] out string? problem)
        where T : class
    {
        (rules, problem) = (null, null);
        try
        {
            if (Directory.Exists(path) || !File.Exists(path))
            {
                problem = Directory.Exists(path) ? "this is a directory" : "there is no such file";
                return false;
            }

            // Pipes and devices have no length, and opening a pipe would wait for a writer.
            long length = (File.ResolveLinkTarget(path, returnFinalTarget: true) as FileInfo ?? new FileInfo(path)).Length;
            if (length is 0 or > MostBytes)
            {
                problem = length == 0 ? "this is an empty file or a pipe" : $"it is larger than {MostBytes} bytes";
                return false;
            }

            using FileStream file = RegularFile.OpenRead(path);
            byte[] bytes = new byte[length];
            int read = file.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false);
            using StreamReader text = new(new MemoryStream(bytes, 0, read), new UTF8Encoding(false, throwOnInvalidBytes: true));
            rules = parse(text.ReadToEnd());
            return true;
        }
        catch (Exception error) when (error is InvalidRulesException or IOException or UnauthorizedAccessException or DecoderFallbackException
            or ArgumentException)
        {
            problem = error is DecoderFallbackException ? "it is not UTF-8 text" : Model.Text.SafeText.Clean(error.Message.TrimEnd('.'));
            return false;
        }
    }
}

/// <summary>Which stacks a report shows.</summary>
internal enum StackSelection
{
    /// <summary>Those that prove a verdict.</summary>
    Evidence,

    /// <summary>Those of all threads too.</summary>
    All,
}
