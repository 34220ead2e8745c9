using System.Collections.Immutable;
using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using Dump.Capture.Watching;
using Dump.Capture.Watching.Conditions;
using Dump.Capture.Watching.Looks;
using Dump.Fetching.Notices;
using Dump.Model.Text;

namespace Dump.Cli.Options;

/// <summary>Options of <c>dumpanalyze watch</c>.</summary>
internal sealed class ProcessWatchSettings
{
    private const string TimeForm = "a time from 1s to 24h such as 30s, 5min or 1h";
    private const int MostThreads = 1_000_000;
    private const int MostCaptures = 10_000;
    private const int MostPercent = 100;
    private const long LeastDisk = 1L << 20;
    private const long MostDisk = 1L << 50;
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_day = TimeSpan.FromHours(24);
    private static readonly Func<ArgumentResult, TimeSpan?> s_time = OptionValue.Time(s_second, s_day, "time", TimeForm);

    public Argument<WatchTarget[]> Targets { get; } = new("PROCESS")
    {
        Description = "Process ids, or names of programs without a directory: shop also matches shop.exe and dotnet shop.dll, including processes that start later.",
        Arity = ArgumentArity.OneOrMore,
        HelpName = "PID|NAME",
        CustomParser = ParseTargets,
    };

    public Option<string?> Out { get; } = new("--out", "-o")
    {
        Description = "Keep captures in folders of their own in DIR, which is made when it does not exist. triage DIR reads them.",
        HelpName = "DIR",
    };

    public Option<double?> Processor { get; } = new("--cpu")
    {
        Description = "Capture when one thread uses PERCENT of a processor, such as 90%, without a pause (--for).",
        HelpName = "PERCENT",
        CustomParser = OptionValue.Of<double?>(ParsePercent, "share of a processor", "1% to 100%"),
    };

    public Option<TimeSpan?> For { get; } = new("--for")
    {
        Description = "With --cpu: for how long (default 30s).",
        HelpName = "TIME",
        CustomParser = s_time,
    };

    public Option<int?> Threads { get; } = new("--threads")
    {
        Description = "Capture when a process has N threads: a thread pool that starves adds one after the other.",
        HelpName = "N",
        CustomParser = OptionValue.Whole(1, MostThreads, "number of threads"),
    };

    public Option<TimeSpan?> HungWindow { get; } = new("--hung-window")
    {
        Description = "On Windows: capture when a window that is shown does not answer for TIME, 5s or more (IsHungAppWindow, and WM_NULL).",
        HelpName = "TIME",
        CustomParser = OptionValue.Time(HungWindowRule.UntilHung, s_day, "time", "a time from 5s to 24h such as 15s or 1min"),
    };

    public Option<AnswerLimit?> NoAnswer { get; } = new("--no-answer")
    {
        Description = "Ask URL (http or https) repeatedly, and capture when no answer of any kind begins within TIME.",
        HelpName = "URL TIME",
        Arity = new ArgumentArity(2, 2),
        AllowMultipleArgumentsPerToken = true,
        CustomParser = argument => ParseLimit(argument, "--no-answer", "URL",
            text => Uri.TryCreate(text, UriKind.Absolute, out Uri? address) && Webhook.IsOne(address) ? null
                : $" {SafeText.Clean(text)}: this is no http or https address."),
    };

    public Option<AnswerLimit?> Check { get; } = new("--check")
    {
        Description = "Start PROGRAM repeatedly, without a shell and without arguments, and capture when it does not end with 0 within TIME.",
        HelpName = "PROGRAM TIME",
        Arity = new ArgumentArity(2, 2),
        AllowMultipleArgumentsPerToken = true,
        CustomParser = argument => ParseLimit(argument, "--check", "PROGRAM", NoticeOptions.Missing),
    };

    public Option<TimeSpan?> Every { get; } = new("--every")
    {
        Description = "Capture whenever TIME has passed.",
        HelpName = "TIME",
        CustomParser = s_time,
    };

    public Option<TimeSpan?> Between { get; } = new("--between")
    {
        Description = "Time between the two dumps of a capture (default 10s): a hang has not moved in between.",
        HelpName = "TIME",
        CustomParser = s_time,
    };

    public Option<int?> Captures { get; } = new("--captures")
    {
        Description = "End when DIR has N captures. Without it the watch continues, and keeps no more than 20.",
        HelpName = "N",
        CustomParser = OptionValue.Whole(1, MostCaptures, "number of captures"),
    };

    public Option<long?> Disk { get; } = new("--disk")
    {
        Description = "Stop capturing when the captures in DIR would exceed SIZE (default 20G).",
        HelpName = "SIZE",
        CustomParser = OptionValue.Size(LeastDisk, MostDisk, "size", "a size from 1M such as 500M or 20G"),
    };

    public Option<TimeSpan?> Interval { get; } = new("--interval")
    {
        Description = "Time between two looks (default 2s). A look reads a few numbers of the system and does not stop the process.",
        HelpName = "TIME",
        CustomParser = s_time,
    };

    public Option<TimeSpan?> BackOff { get; } = new("--back-off")
    {
        Description = "After a capture let the same condition rest for TIME (default 5min), and twice as long each time that nothing new comes of it.",
        HelpName = "TIME",
        CustomParser = s_time,
    };

    public Option<Uri?> Url { get; } = NoticeOptions.Url("Post a JSON document to URL (http or https) for each new capture.");

    public Option<string?> Program { get; } = NoticeOptions.Program(
        "Start PROGRAM for each new capture, without a shell and without arguments. The JSON document comes on its standard input.");

    /// <summary>Windows: what writes the dumps.</summary>
    public Option<string?> DumpWriter { get; } = LiveOptions.WriterOption();

    /// <summary>Where the data-access library and PDB files are.</summary>
    public DumpOptions Dump { get; } = new();

    public void AddTo(Command command)
    {
        command.Arguments.Add(Targets);
        Option[] conditions = [Processor, Threads, HungWindow, NoAnswer, Check, Every];
        foreach (Option option in new Option[] { Out, Processor, For, Threads, HungWindow, NoAnswer, Check, Every, Between, Captures, Disk, Interval, BackOff,
            Url, Program, DumpWriter, Dump.Dac, Dump.Symbols })
        {
            command.Options.Add(option);
        }

        command.Validators.Add(result =>
        {
            if (result.GetResult(Targets)?.Tokens.Select(t => t.Value).FirstOrDefault(Directory.Exists) is { } directory)
            {
                string folder = SafeText.Clean(directory);
                result.AddError($"{folder} is a folder; to take dumps of it as they come: dumpanalyze triage {folder} --out OUT --watch");
                return;
            }

            bool Has(Option option) => result.GetResult(option) is { Implicit: false };
            if (!Has(Out))
            {
                result.AddError("--out is missing; captures need a folder: add --out DIR.");
            }

            if (!conditions.Any(Has))
            {
                result.AddError("when to capture is missing; add one or more of --cpu 90%, --threads 500, --no-answer URL 20s, --check PROGRAM 20s, "
                    + "--every 10min.");
            }

            if (Has(For) && !Has(Processor))
            {
                result.AddError("--for belongs to --cpu; add --cpu 90%.");
            }

            NoticeOptions.Check(result, Url, Program);
        });
        HungWindow.Validators.Add(result => LiveOptions.OnWindowsOnly(result, "no windows are asked"));
        Out.Validators.Add(result =>
        {
            if (result.GetValueOrDefault<string>() is { } path && (path.Length == 0 || File.Exists(path)))
            {
                result.AddError(path.Length == 0 ? "--out: the name is empty; give a folder." : $"--out {path}: this is a file; name a folder.");
            }
        });
    }

    /// <summary>What the looks of a capture are told besides.</summary>
    public ImmutableArray<string> LookArguments(ParseResult parsed) =>
        [.. GivenValue.Words(DumpWriter, parsed.GetValue(DumpWriter) is { } library ? Path.GetFullPath(library) : null)];

    private static WatchTarget[]? ParseTargets(ArgumentResult argument)
    {
        List<WatchTarget> targets = [];
        foreach (string text in argument.Tokens.Select(t => t.Value))
        {
            if (WatchTarget.Parse(text) is { } target && target.Id != Environment.ProcessId)
            {
                targets.Add(target);
            }
            else
            {
                argument.AddError($"'{SafeText.Clean(text)}' is not a valid process; give a process id such as 4711, or the name of a program such as shop.");
            }
        }

        return [.. targets];
    }

    private static double? ParsePercent(string text) =>
        double.TryParse(text.EndsWith('%') ? text.AsSpan(0, text.Length - 1) : text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture,
            out double percent) && percent is >= 1 and <= MostPercent ? percent / MostPercent : null;

    private static AnswerLimit? ParseLimit(ArgumentResult argument, string option, string what, Func<string, string?> problem)
    {
        if (argument.Tokens.Count != 2)
        {
            argument.AddError($"{option} takes two values: {option} {what} 20s.");
            return null;
        }

        string target = argument.Tokens[0].Value;
        if (problem(target) is { } wrong)
        {
            argument.AddError(option + wrong);
            return null;
        }

        TimeSpan? within = OptionValue.ReadTime(argument.Tokens[1].Value, s_second, s_day);
        if (within is null)
        {
            argument.AddError($"{option}: '{SafeText.Clean(argument.Tokens[1].Value)}' is not a valid time; give {TimeForm}.");
        }

        return within is { } time ? new AnswerLimit(target, time) : null;
    }
}

/// <summary>Something that has to answer, and how long that may take.</summary>
/// <param name="Target">An address, or the path of a program.</param>
/// <param name="Within">The time.</param>
internal sealed record AnswerLimit(string Target, TimeSpan Within);
