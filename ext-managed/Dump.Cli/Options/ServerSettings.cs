using System.Collections.Immutable;
using System.CommandLine;
using Dump.Triage;

namespace Dump.Cli.Options;

/// <summary>Options of <c>dumpanalyze mcp</c>.</summary>
internal sealed class ServerSettings
{
    private const int DefaultJobs = 2;
    private const int MostJobs = 64;
    private static readonly TriageOptions s_defaults = new() { Inputs = [], Output = "" };
    private readonly DumpOptions _dump = new();
    private readonly TriageSettings _limits = new();

    public Option<string[]> Roots { get; } = new("--root")
    {
        Description = "Answer for dumps below DIR, and for no other file. Links that lead out of it are not followed. May be repeated.",
        HelpName = "DIR",
        Required = true,
    };

    public Option<bool> AllowStrings { get; } = new("--allow-strings")
    {
        Description = "Also send what strings of the dumped process say: messages of exceptions, text in objects, keys of collections, the dump's comment, "
            + "the machine's name. They may hold passwords and personal data.",
    };

    private readonly Option<int?> _jobs = new("--jobs", "-j")
    {
        Description = $"Run N analyses at the same time (default {DefaultJobs}). Further requests wait.",
        HelpName = "N",
        CustomParser = OptionValue.Whole(1, MostJobs, "number of jobs"),
    };

    public ServerSettings() => Roots.Validators.Add(result =>
    {
        foreach (string root in (result.GetValueOrDefault<string[]>() ?? []).Where(r => !Directory.Exists(r)))
        {
            result.AddError(root.Length == 0 ? "--root: the name is empty; give a folder."
                : File.Exists(root) ? $"--root {root}: this is a file; name the folder it lies in."
                : $"--root {root}: there is no such folder; name one with dumps.");
        }
    });

    public void AddTo(Command command)
    {
        foreach (Option option in new Option[]
        {
            Roots, AllowStrings, _jobs, _limits.Timeout, _limits.Memory, _dump.Images, _dump.Symbols, _dump.Dac, _dump.Wine,
        })
        {
            command.Options.Add(option);
        }
    }

    /// <summary>How many analyses may run at the same time, from a parsed command line.</summary>
    public int Jobs(ParseResult parsed) => parsed.GetValue(_jobs) ?? DefaultJobs;

    /// <summary>Wall time of one analysis, from a parsed command line.</summary>
    public TimeSpan Timeout(ParseResult parsed) => parsed.GetValue(_limits.Timeout) ?? s_defaults.Timeout;

    /// <summary>Bytes of memory of one analysis, from a parsed command line.</summary>
    public long Memory(ParseResult parsed) => parsed.GetValue(_limits.Memory) ?? s_defaults.Memory;

    /// <summary>How dumps are read, from a parsed command line.</summary>
    public ReadingArguments Reading(ParseResult parsed)
    {
        string[] dac = Given(_dump.Dac.Name, parsed.GetValue(_dump.Dac));
        string[] wine = Given(_dump.Wine.Name, parsed.GetValue(_dump.Wine));
        string[] images = [.. (parsed.GetValue(_dump.Images) ?? []).SelectMany(d => Given(_dump.Images.Name, d))];
        return new ReadingArguments([.. images, .. Given(_dump.Symbols.Name, parsed.GetValue(_dump.Symbols)), .. dac, .. wine], [.. dac, .. wine], [.. dac]);
    }

    private static string[] Given(string option, string? value) => value is null ? [] : [$"{option}={value}"];
}

/// <summary>Arguments that say how dumps are read, for the processes of this program that read them.</summary>
/// <param name="WithSymbols">For commands that name functions.</param>
/// <param name="OfTasks">For <c>tasks</c>.</param>
/// <param name="OfObjects">For <c>object</c>.</param>
internal sealed record ReadingArguments(ImmutableArray<string> WithSymbols, ImmutableArray<string> OfTasks, ImmutableArray<string> OfObjects);
