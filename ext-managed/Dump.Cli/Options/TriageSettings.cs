using System.CommandLine;
using Dump.Model.Facts;
using Dump.Triage;

namespace Dump.Cli.Options;

/// <summary>Options of <c>dumpanalyze triage</c>.</summary>
internal sealed class TriageSettings
{
    private const int MostJobs = 1024;
    private const long LeastMemory = 256L << 20;
    private const long MostMemory = 1L << 40;
    private static readonly TimeSpan s_shortest = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_longest = TimeSpan.FromHours(24);
    private static readonly TriageOptions s_defaults = new() { Inputs = [], Output = "" };
    private readonly DumpOptions _dump = new();
    private readonly VerdictOptions _verdict;

    /// <summary>Where the dumps are.</summary>
    public Argument<string[]> Inputs { get; } = new("DIR")
    {
        Description = "Folders and files with dumps, which are known by their content, not by their names; zip archives and gzip files are looked into.",
        Arity = ArgumentArity.OneOrMore,
    };

    /// <summary>Where the records go.</summary>
    public Option<string> Out { get; } = new("--out")
    {
        Description = "Folder of the records; made when it is not there. Another run with the same folder keeps what is done.",
        HelpName = "DIR",
        Required = true,
    };

    /// <summary>How many at a time.</summary>
    public Option<int?> Jobs { get; } = new("--jobs", "-j")
    {
        Description = "Dumps to analyse at the same time (default: one for each processor). Never more than the machine has memory for.",
        HelpName = "N",
        CustomParser = OptionValue.Whole(1, MostJobs, "number of jobs"),
    };

    /// <summary>The part of the dumps.</summary>
    public Option<Shard?> Part { get; } = new("--shard")
    {
        Description = "Take only the i-th of n parts of the dumps, for runs on several machines: 1/4, 2/4, 3/4, 4/4. Copies of a dump fall into the same part.",
        HelpName = "i/n",
        CustomParser = OptionValue.Of(text => Shard.TryParse(text, out Shard? shard) ? shard : null, "part", $"i/n such as 1/4, at most {Shard.Most} parts"),
    };

    /// <summary>Wall time of one analysis.</summary>
    public Option<TimeSpan?> Timeout { get; } = new("--timeout")
    {
        Description = "Time that the analysis of one dump may take, for example 90s or 5min (default 60s).",
        HelpName = "TIME",
        CustomParser = OptionValue.Time(s_shortest, s_longest, "time limit", "a time from 1s to 24h such as 90s or 5min"),
    };

    /// <summary>Memory of one analysis.</summary>
    public Option<long?> Memory { get; } = new("--memory")
    {
        Description = "Memory that the analysis of one dump may use, for example 512MiB or 4GiB (default 2GiB).",
        HelpName = "SIZE",
        CustomParser = OptionValue.Size(LeastMemory, MostMemory, "memory limit", "a size from 256MiB to 1024GiB such as 512MiB or 4GiB"),
    };

    /// <summary>Which dumps.</summary>
    public Option<string[]> Include { get; } = new("--include")
    {
        Description = "Take only dumps whose path matches, for example '*.dmp' or 'server-?/**/crash*'. May be repeated.",
        HelpName = "GLOB",
    };

    /// <summary>Whether records stand.</summary>
    public Option<bool> Again { get; } = new("--again")
    {
        Description = "Analyse dumps that have a record too, for example after files were added to the folders of --symbols or --images.",
    };

    /// <summary>What makes the exit code tell.</summary>
    public Option<Confidence?> FailOn => _verdict.FailOn;

    /// <summary>Makes the options.</summary>
    public TriageSettings()
    {
        _verdict = new VerdictOptions(_dump);
        Inputs.Validators.Add(result =>
        {
            foreach (string input in (result.GetValueOrDefault<string[]>() ?? []).Where(i => !Path.Exists(i)))
            {
                result.AddError($"{input}: there is no such file or folder.");
            }
        });
        Out.Validators.Add(result =>
        {
            if (result.GetValueOrDefault<string>() is { } path && (path.Length == 0 || File.Exists(path)))
            {
                result.AddError(path.Length == 0 ? "--out: the name is empty." : $"--out {path}: this is a file.");
            }
        });
        Include.Validators.Add(result =>
        {
            if (result.GetValueOrDefault<string[]>()?.Contains("") == true)
            {
                result.AddError("--include: the pattern '' is empty and matches no path.");
            }
        });
    }

    /// <summary>Adds them.</summary>
    public void AddTo(Command command)
    {
        command.Arguments.Add(Inputs);
        foreach (Option option in new Option[] { Out, Jobs, Part, Timeout, Memory, Include, Again, FailOn, _dump.Images, _dump.Symbols, _dump.Dac, _dump.Wine,
            _verdict.Modules })
        {
            command.Options.Add(option);
        }
    }

    /// <summary>What to do, from a parsed command line.</summary>
    public TriageOptions Read(ParseResult parsed) => s_defaults with
    {
        Inputs = [.. parsed.GetRequiredValue(Inputs)],
        Output = parsed.GetRequiredValue(Out),
        Jobs = parsed.GetValue(Jobs) ?? s_defaults.Jobs,
        Shard = parsed.GetValue(Part),
        Timeout = parsed.GetValue(Timeout) ?? s_defaults.Timeout,
        Memory = parsed.GetValue(Memory) ?? s_defaults.Memory,
        Include = [.. parsed.GetValue(Include) ?? []],
        Again = parsed.GetValue(Again),
        AnalysisArguments =
        [
            .. (parsed.GetValue(_dump.Images) ?? []).SelectMany(d => new[] { _dump.Images.Name, d }),
            .. Given(_dump.Symbols.Name, parsed.GetValue(_dump.Symbols)),
            .. Given(_dump.Dac.Name, parsed.GetValue(_dump.Dac)),
            .. Given(_dump.Wine.Name, parsed.GetValue(_dump.Wine)),
            .. Given(_verdict.Modules.Name, parsed.GetResult(_verdict.Modules)?.Tokens[0].Value),
        ],
    };

    private static string[] Given(string option, string? value) => value is null ? [] : [option, value];
}
