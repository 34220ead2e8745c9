using System.CommandLine;
using System.CommandLine.Parsing;
using Dump.Model.Facts;
using Dump.Triage;
using Dump.Triage.Discovery;

namespace Dump.Cli.Options;

/// <summary>Options of <c>dumpanalyze triage</c>.</summary>
internal sealed class TriageSettings
{
    /// <summary>Name of the command.</summary>
    public const string CommandName = "triage";

    /// <summary>Name of the option that prints a table and keeps no records.</summary>
    public const string ListName = "--list";

    private const int MostJobs = 1024;
    private const long LeastMemory = 256L << 20;
    private const long MostMemory = 1L << 40;
    private static readonly TimeSpan s_shortest = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_longest = TimeSpan.FromHours(24);
    private static readonly TriageOptions s_defaults = new() { Inputs = [], Output = "" };
    private readonly DumpOptions _dump = new();
    private readonly VerdictOptions _verdict;

    public Argument<string[]> Inputs { get; } = new("DIR")
    {
        Description = "Folders and files with dumps, recognized by their content, not by their names, also inside zip archives and gzip files.",
        Arity = ArgumentArity.OneOrMore,
    };

    public Option<string?> Out { get; } = new("--out", "-o")
    {
        Description = "Write the records to DIR, which is made when it does not exist. Another run with the same folder keeps what is done.",
        HelpName = "DIR",
    };

    public Option<string?> Store { get; } = new("--store")
    {
        Description = "Write the records to the SQLite database FILE instead, which is made when it does not exist, or to the PostgreSQL database "
            + "postgres://USER@HOST/DATABASE. Many runs may write to it at the same time.",
        HelpName = "FILE",
    };

    public Option<bool> List { get; } = new(ListName)
    {
        Description = "Print a line for each dump, and keep no records. This is what \"dumpanalyze DIR\" does.",
    };

    public Option<int?> Jobs { get; } = new("--jobs", "-j")
    {
        Description = "Analyze N dumps at the same time (default: one for each processor), but never more than the machine has memory for.",
        HelpName = "N",
        CustomParser = OptionValue.Whole(1, MostJobs, "number of jobs"),
    };

    public Option<Shard?> Part { get; } = new("--shard")
    {
        Description = "Take only the i-th of n parts of the dumps, for runs on several machines: 1/4, 2/4, 3/4, 4/4. Copies of a dump fall into the same part.",
        HelpName = "i/n",
        CustomParser = OptionValue.Of(text => Shard.TryParse(text, out Shard? shard) ? shard : null, "part", $"i/n such as 1/4, at most {Shard.Most} parts"),
    };

    /// <summary>A part as schedulers name it, to which a verdict would be a failed task.</summary>
    public Option<Shard?> Index { get; } = new("--shard-index")
    {
        Description = "As --shard, for schedulers that count from 0: 0/4, 1/4, 2/4, 3/4. The exit code is then 0 when the part is done, whatever was found.",
        HelpName = "i/n",
        CustomParser = OptionValue.Of(
            text => Shard.TryParse(text, out Shard? shard, first: 0) ? shard : null, "part", $"i/n such as 0/4, at most {Shard.Most} parts"),
    };

    public Option<TimeSpan?> Timeout { get; } = new("--timeout")
    {
        Description = "Stop the analysis of one dump after TIME, for example 90s or 5min (default 60s).",
        HelpName = "TIME",
        CustomParser = OptionValue.Time(s_shortest, s_longest, "time limit", "a time from 1s to 24h such as 90s or 5min"),
    };

    public Option<long?> Memory { get; } = new("--memory")
    {
        Description = "Let the analysis of one dump use at most SIZE of memory, for example 512M or 4G (default 2G, where 1G is 1,024 MiB).",
        HelpName = "SIZE",
        CustomParser = OptionValue.Size(LeastMemory, MostMemory, "memory limit", "a size from 256M to 1024G such as 512M or 4G"),
    };

    public Option<string[]> Include { get; } = new("--include")
    {
        Description = "Take only dumps whose path matches, for example '*.dmp' or 'server-?/**/crash*'. May be repeated.",
        HelpName = "GLOB",
    };

    public Option<bool> Again { get; } = new("--again")
    {
        Description = "Analyze dumps again that have a record already, for example after you added files to the folders of --symbols or --images.",
    };

    public Option<bool> Fresh { get; } = new("--fresh")
    {
        Description = "Start a process for each dump. By default a process takes one dump after the other, and ends when it fails at one.",
    };

    /// <summary>What belongs to a run that goes on.</summary>
    public WatchSettings Watching { get; } = new();

    public Option<Confidence?> FailOn => _verdict.FailOn;

    /// <summary>Weakest confidence that the exit code reports, from a parsed command line.</summary>
    public Confidence FailsOn(ParseResult parsed) => _verdict.FailsOn(parsed);

    public TriageSettings()
    {
        _verdict = new VerdictOptions(_dump, Confidence.Likely);
        Inputs.Validators.Add(result =>
        {
            foreach (string input in (result.GetValueOrDefault<string[]>() ?? []).Where(i => !Path.Exists(i)))
            {
                result.AddError(input.Length == 0 ? "a name of a folder is empty; name one with dumps"
                    : EntryStatus.IsHidden(input) ? $"{input}: a folder on the way to it may not be looked into; run this as a user who may"
                    : $"{input}: there is no such file or folder: {Path.GetFullPath(input)}; name one with dumps");
            }
        });
        Out.Validators.Add(result =>
        {
            if (result.GetValueOrDefault<string>() is { } path && (path.Length == 0 || File.Exists(path)))
            {
                result.AddError(path.Length == 0 ? "--out: the name is empty; give a folder." : $"--out {path}: this is a file; name a folder.");
            }
        });
        Store.Validators.Add(result =>
        {
            if (result.GetValueOrDefault<string?>() is { } path && (path.Length == 0 || Directory.Exists(path)))
            {
                result.AddError(path.Length == 0 ? "--store: the name is empty; give a file."
                    : $"--store {path}: this is a folder; give a file, or --out {path}.");
            }
        });
        Include.Validators.Add(result =>
        {
            if (result.GetValueOrDefault<string[]>()?.Contains("") == true)
            {
                result.AddError("--include: the pattern '' is empty and matches no path; give one such as '*.dmp'.");
            }
        });
    }

    public void AddTo(Command command)
    {
        command.Arguments.Add(Inputs);
        foreach (Option option in new Option[] { Out, Store, List, Jobs, Part, Index, Timeout, Memory, Include, Again, Fresh, FailOn, _dump.NoColor, _dump.Images, _dump.Symbols,
            _dump.Dac, _dump.Wine, _verdict.Modules })
        {
            command.Options.Add(option);
        }

        Watching.AddTo(command, Store);
        command.Validators.Add(result =>
        {
            bool isFolder = result.GetResult(Out) is not null, isStore = result.GetResult(Store) is not null;
            if (GivenValue.Of(result, List))
            {
                CheckList(result);
            }
            else if (isFolder == isStore)
            {
                result.AddError(isFolder ? "--out and --store are two places for the records; give one of them, and convert by merge --into."
                    : $"--out is missing; type: dumpanalyze triage {(GivenValue.Of(result, Inputs) is [var only] ? only : "DIR")} --out DIR, "
                        + $"or with --store FILE, or with {ListName} for a table on the screen");
            }

            if (result.GetResult(Part) is not null && result.GetResult(Index) is not null)
            {
                result.AddError("--shard and --shard-index name the same part, counted from 1 and from 0; give one of them.");
            }
        });
    }

    private void CheckList(CommandResult result)
    {
        Option[] others = [Out, Store, Part, Index, Again, Watching.Watch];
        if (others.FirstOrDefault(o => result.GetResult(o) is { Implicit: false }) is { } other)
        {
            result.AddError($"{ListName} keeps no records, which {other.Name} is about; leave out one of them.");
        }
    }

    /// <summary>Form and colours.</summary>
    public DumpOptions Dump => _dump;

    /// <summary>What to do, from a parsed command line.</summary>
    public TriageOptions Read(ParseResult parsed) => s_defaults with
    {
        Inputs = [.. parsed.GetRequiredValue(Inputs)],
        Output = parsed.GetValue(Out) ?? "",
        Jobs = parsed.GetValue(Jobs) ?? s_defaults.Jobs,
        Shard = parsed.GetValue(Part) ?? parsed.GetValue(Index),
        Timeout = parsed.GetValue(Timeout) ?? s_defaults.Timeout,
        Memory = parsed.GetValue(Memory) ?? s_defaults.Memory,
        Include = [.. parsed.GetValue(Include) ?? []],
        Again = parsed.GetValue(Again),
        IsFresh = parsed.GetValue(Fresh),
        AnalysisArguments =
        [
            .. (parsed.GetValue(_dump.Images) ?? []).SelectMany(d => new[] { _dump.Images.Name, d }),
            .. GivenValue.Words(_dump.Symbols, parsed.GetValue(_dump.Symbols)),
            .. GivenValue.Words(_dump.Dac, parsed.GetValue(_dump.Dac)),
            .. GivenValue.Words(_dump.Wine, parsed.GetValue(_dump.Wine)),
            .. GivenValue.Words(_verdict.Modules, parsed.GetResult(_verdict.Modules)?.Tokens[0].Value),
        ],
    };
}
