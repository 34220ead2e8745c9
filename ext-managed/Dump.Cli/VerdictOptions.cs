using System.CommandLine;
using Dump.Analysis;
using Dump.Analysis.Knowledge;
using Dump.Model;

namespace Dump.Cli;

/// <summary>Options of every command that ends in a verdict.</summary>
/// <param name="dump">Options on form and colours.</param>
internal sealed class VerdictOptions(DumpOptions dump)
{
    /// <summary>Form and colours.</summary>
    public DumpOptions Dump { get; } = dump;

    /// <summary>Which stacks to print.</summary>
    public Option<StackSelection?> Stacks { get; } = ChoiceOption.Create<StackSelection>("--stacks", "Stacks to print: evidence (default) or all", "evidence", "all");

    /// <summary>What makes the exit code tell.</summary>
    public Option<Confidence?> FailOn { get; } = ChoiceOption.Create<Confidence>(
        "--fail-on", "Weakest confidence that makes the exit code tell: confirmed, likely (default) or suspected", "confirmed", "likely", "suspected");

    /// <summary>The user's own list of libraries that get into other people's processes.</summary>
    public Option<string?> Modules { get; } = CreateModules();

    /// <summary>How to judge, from a parsed command line.</summary>
    public AnalysisOptions Analysis(ParseResult parsed) => parsed.GetValue(Modules) is { } path && KnownModulesFile.TryRead(path, out KnownModules? known, out _)
        ? AnalysisOptions.Default with { KnownModules = known }
        : AnalysisOptions.Default;

    private static Option<string?> CreateModules()
    {
        Option<string?> option = new("--known-modules")
        {
            Description = "Your own list of hooks, overlays and security products that get into other programs' processes (JSON: docs/known-modules.md), besides the built-in one.",
            HelpName = "FILE",
        };
        option.Validators.Add(result =>
        {
            if (result.GetValueOrDefault<string?>() is { } path && !KnownModulesFile.TryRead(path, out _, out string? problem))
            {
                result.AddError($"--known-modules {path}: {problem}.");
            }
        });
        return option;
    }

    /// <summary>Adds those for the verdict alone.</summary>
    public void AddTo(Command command)
    {
        command.Options.Add(Modules);
        command.Options.Add(Stacks);
        command.Options.Add(FailOn);
    }
}
