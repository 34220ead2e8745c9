using System.CommandLine;
using System.CommandLine.Completions;
using System.CommandLine.Parsing;
using System.Globalization;
using Dump.Capture;
using Dump.Capture.Proc;
using Dump.Capture.Watching.Looks;
using Dump.Clr.Runtimes;
using Dump.Engine;
using Dump.Triage.Children;

namespace Dump.Cli.Options;

/// <summary>Options of <c>dumpanalyze live</c>.</summary>
internal sealed class LiveOptions
{
    /// <summary>Name of the command.</summary>
    public const string CommandName = "live";

    private const int MostSamples = 1000;
    private static readonly TimeSpan s_shortest = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan s_shortestStop = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_longest = TimeSpan.FromHours(1);
    private static readonly Func<ArgumentResult, int?> s_readId = OptionValue.Whole(1, int.MaxValue, "process id",
        "a number such as 4711 (dumpanalyze live, without one, lists .NET processes)");

    public Argument<int> Process { get; } = new("PID")
    {
        Description = "Process id, decimal, or the name of a program that runs once: shop also means shop.exe and dotnet shop.dll. Without it the .NET "
            + "processes that you can inspect are listed.",
        HelpName = "PID",
        CustomParser = ParseProcess,
    };

    public Option<int?> Samples { get; } = new("--samples")
    {
        Description = "Sample the CPU times N times: 2 (default) to 1000.",
        HelpName = "N",
        CustomParser = OptionValue.Whole(2, MostSamples, "number of samples"),
    };

    public Option<TimeSpan?> Interval { get; } = new("--interval")
    {
        Description = "Wait TIME between two samples: 100ms to 1h, such as 500ms, 1s (default) or 2min. A longer interval gives a surer answer about CPU use.",
        HelpName = "TIME",
        CustomParser = OptionValue.Time(s_shortest, s_longest, "interval", "a time from 100ms to 1h such as 500ms, 2s or 1min"),
    };

    public OutputOption Keep { get; } = new("--keep",
        "Keep a core (on Windows a minidump) of the moment that was read, with all memory, in FILE, which must not exist yet. The process stays stopped while "
        + "it is written.");

    public Option<TimeSpan?> StopLimit { get; } = new("--stop-limit")
    {
        Description = "Resume the process after TIME, 1s to 1h, whatever has been read by then. Default: 1min, without the writing of --keep. On Windows: 30s, "
            + "and with all memory 30s more for each GiB.",
        HelpName = "TIME",
        CustomParser = OptionValue.Time(s_shortestStop, s_longest, "time", "a time from 1s to 1h such as 10s or 5min"),
    };

    public Option<bool> NoStop { get; } = new("--no-stop")
    {
        Description = "On Linux: do not stop the process. Prints CPU times and the data of /proc, without stacks and locks. For a process that a filter of "
            + "system calls (seccomp) would end after a stop.",
    };

    public Option<bool> Full { get; } = new("--full")
    {
        Description = "On Windows: take all memory also where stacks, locks and what they refer to are enough, as of a process without .NET.",
    };

    public Option<string?> DumpWriter { get; } = WriterOption();

    public Option<string?> Shim { get; } = new("--dbgshim")
    {
        Description = "Ask DbgShim (libdbgshim.so, on Windows dbgshim.dll) which .NET runtimes the process has. Default: one beside an installed runtime, "
            + "if there is one. Code from FILE is run: name only a file you trust.",
        HelpName = "FILE",
    };

    public Option<bool> Follow { get; } = new("--follow")
    {
        Description = "Inspect the processes that this one waits for too, and those that they wait for (at most 8). Prints a report for each, and ends with the exit "
            + "code of the strongest. On Linux: child processes, holders of file locks and other ends of pipes. On Windows: by the system's wait chains.",
    };

    /// <summary>Form, colours, verdict.</summary>
    public VerdictOptions Report { get; } = new(new DumpOptions());

    public LiveOptions()
    {
        Process.CompletionSources.Add(_ => LivingProcesses.Find()
            .Select(p => new CompletionItem(p.Id.ToString(CultureInfo.InvariantCulture), detail: p.CommandLine)));
        Follow.Validators.Add(result =>
        {
            if (!result.Implicit && result.GetValueOrDefault<bool>()
                && result.GetResult(Report.Dump.Format)?.GetValueOrDefault<OutputFormat?>() == OutputFormat.Json)
            {
                result.AddError("--follow prints several reports, and JSON is one document; leave out --format json, or --follow.");
            }
        });
        Shim.Validators.Add(result =>
        {
            if (result.GetValueOrDefault<string?>() is { } file && LivingSession.FindShim(file) is { Path: null } none)
            {
                result.AddError($"--dbgshim: {none.Words}; give the path of such a library, or leave it out.");
            }
        });
        NoStop.Validators.Add(result =>
        {
            if (!result.Implicit && result.GetValueOrDefault<bool>())
            {
                if (OperatingSystem.IsWindows())
                {
                    result.AddError("--no-stop is for Linux; leave it out.");
                }

                if (result.GetResult(Keep) is { Implicit: false })
                {
                    result.AddError("--keep needs a stopped process; leave out --no-stop, or --keep.");
                }
            }
        });
        Full.Validators.Add(result => OnWindowsOnly(result, "all memory is read anyway"));
        Keep.Validators.Add(result =>
        {
            if (result.GetValueOrDefault<string?>() is { } path && Path.Exists(path) && !Directory.Exists(path))
            {
                result.AddError($"--keep {path}: exists already; name a new file.");
            }
        });
    }

    /// <summary>The option that names what writes dumps on Windows.</summary>
    public static Option<string?> WriterOption()
    {
        Option<string?> option = new("--dump-writer")
        {
            Description = "On Windows: take MiniDumpWriteDump from FILE (dbgcore.dll of the Debugging Tools) and not from the system. Code from FILE is run: "
                + "name only a file you trust.",
            HelpName = "FILE",
        };
        option.Validators.Add(result =>
        {
            OnWindowsOnly(result, "nothing writes a dump");
            if (result.GetValueOrDefault<string?>() is { } path && !File.Exists(path))
            {
                result.AddError($"--dump-writer {path}: there is no such file; give the path of a dbgcore.dll, or leave it out.");
            }
        });
        return option;
    }

    public void AddTo(Command command)
    {
        command.Arguments.Add(Process);
        command.Options.Add(Samples);
        command.Options.Add(Interval);
        command.Options.Add(Keep);
        command.Options.Add(Follow);
        command.Options.Add(StopLimit);
        command.Options.Add(NoStop);
        command.Options.Add(Full);
        command.Options.Add(DumpWriter);
        command.Options.Add(Report.Dump.Images);
        command.Options.Add(Shim);
        command.Options.Add(Report.Dump.Dac);
        command.Options.Add(Report.Dump.Symbols);
        command.Options.Add(Report.Dump.Format);
        command.Options.Add(Report.Dump.NoColor);
        Report.Dump.AddLimitsTo(command);
        Report.AddTo(command);
    }

    /// <summary>Adds those of a command that lists facts of one look, which samples no CPU time and keeps nothing.</summary>
    public void AddFactOptionsTo(Command command)
    {
        command.Arguments.Add(Process);
        command.Options.Add(DumpWriter);
        command.Options.Add(Report.Dump.Dac);
        command.Options.Add(Report.Dump.Symbols);
        command.Options.Add(Report.Dump.Format);
        command.Options.Add(Report.Dump.NoColor);
        Report.Dump.AddLimitsTo(command);
    }

    /// <summary>How to look, from a parsed command line.</summary>
    /// <param name="parsed">The command line.</param>
    public LivingSettings Settings(ParseResult parsed)
    {
        LiveReadOptions defaults = new();
        ReadingSettings reading = Report.Dump.Settings(parsed);
        return new LivingSettings
        {
            Look = defaults with
            {
                Samples = parsed.GetValue(Samples) ?? defaults.Samples,
                Interval = parsed.GetValue(Interval) ?? defaults.Interval,
                LongestStop = parsed.GetValue(StopLimit),
                KeepPath = parsed.GetValue(Keep),
                NeverStops = parsed.GetValue(NoStop),
                IsFull = parsed.GetValue(Full) || parsed.GetValue(Keep) is not null,
                DumpWriter = parsed.GetValue(DumpWriter) is { } library ? Path.GetFullPath(library) : null,
                Program = [AnalysisProgram.Own.FileName, .. AnalysisProgram.Own.Arguments],
                ImageDirectories = reading.Files.ImageDirectories,
                Windows = reading.Files,
                Warn = risk => Console.Error.WriteLine($"dumpanalyze: {risk}"),
                Clr = reading.Managed with { AsyncWaitsHeap = ClrReadOptions.SmallLivingHeap, AsyncWaitsTasks = ClrReadOptions.FewLivingTasks },
            },
            Shim = parsed.GetValue(Shim),
            Symbols = reading.SymbolDirectories,
            Cabinets = reading.Files.Cabinets,
        };
    }

    /// <summary>True for a command line that reads a living process.</summary>
    public static bool IsLive(ParseResult parsed) => parsed.CommandResult.Command.Name == CommandName;

    /// <summary>
    /// Time in which the process is sampled and may stand still, besides the analysis. Null where no limit holds unless one is given: a core is written, or other
    /// processes are looked at as well.
    /// </summary>
    public static TimeSpan? Watching(ParseResult parsed)
    {
        IReadOnlyList<Option> options = [.. parsed.CommandResult.Command.Options];
        LiveReadOptions defaults = new();
        bool isOpen = Value<string?>("--keep") is not null || Value<bool>("--follow");
        TimeSpan interval = Value<TimeSpan?>("--interval") ?? defaults.Interval, stop = Value<TimeSpan?>("--stop-limit") ?? default;
        return isOpen && Value<TimeSpan?>(DumpOptions.TimeoutName) is null ? null
            : (interval * (Value<int?>("--samples") ?? defaults.Samples)) + stop + LivingSession.Pause(interval) + (interval * defaults.Samples) + stop;

        T? Value<T>(string name) => options.FirstOrDefault(o => o.Name == name) is Option<T> option ? parsed.GetValue(option) : default;
    }

    /// <summary>True for a command line that asks which living processes there are: it names none, and no option either.</summary>
    public static bool AsksForProcesses(ParseResult parsed) => IsLive(parsed) && parsed.Tokens.All(t => t.Type == TokenType.Command);

    /// <summary>Refuses an option that means something on Windows only.</summary>
    public static void OnWindowsOnly(OptionResult result, string elsewhere)
    {
        // The library also checks options that were not given, where something else is wrong.
        if (!OperatingSystem.IsWindows() && !result.Implicit)
        {
            result.AddError($"{result.Option.Name} is for Windows; here {elsewhere}; leave it out.");
        }
    }

    private static int ParseProcess(ArgumentResult argument)
    {
        string text = argument.Tokens[0].Value;
        bool isName = !string.IsNullOrWhiteSpace(text) && !text.All(char.IsAsciiDigit);
        IReadOnlyList<int> named = isName ? ProcessLooks.Named(text) : [];
        if (named.Count == 0 && File.Exists(text) && (isName || !ProcessLooks.Lives(text)))
        {
            argument.AddError($"live looks at a process; for the verdict on a dump: dumpanalyze {text}");
            return 0;
        }

        int id = isName ? ProcessName.Only(argument, named) : s_readId(argument) ?? 0;
        if (id == Environment.ProcessId)
        {
            argument.AddError($"{id} is this program itself; give the id of another process.");
        }

        return id;
    }
}
