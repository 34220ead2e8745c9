using System.CommandLine;
using Dump.Analysis.Knowledge;
using Dump.Analysis.Tags;
using Dump.Analysis.Triage;
using Dump.Model;

namespace Dump.Cli;

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
                result.AddError(File.Exists(input) ? $"{input}: this is a file; name the folder that dumpanalyze triage --out wrote." : $"{input}: there is no such folder.");
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

    /// <summary>What makes the exit code tell.</summary>
    public Option<Confidence?> FailOn => _verdict.FailOn;

    /// <summary>Adds them.</summary>
    public void AddTo(Command command)
    {
        command.Arguments.Add(Inputs);
        foreach (Option option in new Option[] { _verdict.Modules, _verdict.Tags, FailOn, Dump.NoColor })
        {
            command.Options.Add(option);
        }
    }

    /// <summary>The rules, from a parsed command line.</summary>
    public OverviewOptions Rules(ParseResult parsed) => OverviewOptions.Default with
    {
        KnownModules = parsed.GetValue(_verdict.Modules) ?? KnownModules.Default,
        Tags = parsed.GetValue(_verdict.Tags) ?? StackTags.Default,
    };
}
