using System.Collections.Immutable;
using System.CommandLine;
using System.Globalization;
using Dump.Capture.Watching;
using Dump.Capture.Watching.Conditions;
using Dump.Capture.Watching.Looks;
using Dump.Cli.Options;
using Dump.Cli.Running;
using Dump.Cli.Usage;
using Dump.Cli.Watching;
using Dump.Model.Contract;
using Dump.Model.Text;
using Dump.Readers;
using Dump.Triage.Records;

namespace Dump.Cli.Commands;

/// <summary><c>dumpanalyze watch PID|NAME... --out DIR</c>: captures a hang when it happens.</summary>
internal static class WatchCommand
{
    /// <summary>Name of the command.</summary>
    public const string Name = "watch";

    public static Command Create()
    {
        ProcessWatchSettings settings = new();
        TeachingCommand command = new(
            Name,
            "Watches processes, and captures each hang when it happens: two dumps and the verdict on them.",
            """
            Watches processes without disturbing them until a condition holds. Then it takes two dumps of that process, some
            seconds apart. It keeps them with the verdict as text, JSON and page in a folder of DIR, and prints that folder.
            The same hang is kept once. A process that was named by its name may end and start again. Ends by Ctrl+C,
            Ctrl+Break (Windows) or SIGTERM, or with --captures. If all processes were named by id, it ends with the last.

            Examples:
              dumpanalyze watch shop --out captures --cpu 90% --for 30s --threads 500
              dumpanalyze watch shop.exe --out captures --hung-window 15s
              dumpanalyze watch 4711 --out captures --no-answer http://localhost:8080/health 20s
              dumpanalyze watch shop --out captures --check /usr/local/bin/shop-works 30s --notify-command /usr/local/bin/tell
              dumpanalyze triage captures --out triage

            Exit code: 0 when it came to one of these ends, 2 wrong usage, 3 there is no such process, 1 error of this program.
            """);
        settings.AddTo(command);
        BackgroundAction.Set(command, (parsed, cancellation) => Run(parsed, settings, cancellation));
        return command;
    }

    /// <summary>True for a command line that watches processes, which takes signals itself.</summary>
    public static bool IsWatch(ParseResult parsed) => parsed.CommandResult.Command.Name == Name;

    private static int Run(ParseResult parsed, ProcessWatchSettings settings, CancellationToken cancellation)
    {
        IProcessLooks looks = ProcessLooks.OfThisSystem(Log)
            ?? throw new InvalidDumpException("processes are watched on Linux and Windows only");
        using var open = looks as IDisposable;
        WatchTarget[] targets = parsed.GetRequiredValue(settings.Targets);
        CheckIds(targets, looks);
        string folder = parsed.GetRequiredValue(settings.Out)!;
        using SignalEnd end = new(cancellation);
        using Probes probes = new();
        using NoticeChannel? channel = NoticeChannel.Open(parsed.GetValue(settings.Url), parsed.GetValue(settings.Program));
        ProcessWatchOptions options = ReadOptions(parsed, settings, [.. targets], probes);
        CaptureSettings capturing = new(
            parsed.GetValue(settings.Between) ?? TimeSpan.FromSeconds(10), Arguments(parsed, settings), settings.LookArguments(parsed), Print,
            EndsWhenFull: parsed.GetValue(settings.Captures) is not null);
        CaptureFolder place = Open(folder, parsed, settings);
        if (capturing.EndsWhenFull && place.Full is { } full)
        {
            throw new UnusableOutputException(folder, full, new IOException());
        }

        ProcessCaptures captures = new(place, capturing, channel, looks, Log);
        Log($"watches {string.Join(", ", targets.Select(t => SafeText.Clean(t.Text)))} until it is ended");

        // A thread of its own: children die with the thread that started them.
        Task.Factory.StartNew(() => new ProcessWatch(options, looks, captures, new SystemWatchClock(), Log).Run(end.Token), CancellationToken.None,
            TaskCreationOptions.LongRunning, TaskScheduler.Default).GetAwaiter().GetResult();
        return ExitCode.Success;
    }

    /// <summary>A process that is named by its id must be there, and one that can be captured.</summary>
    private static void CheckIds(IEnumerable<WatchTarget> targets, IProcessLooks looks)
    {
        foreach (WatchTarget target in targets)
        {
            if (target.Id is { } id && ((looks as WindowsProcessLooks)?.Refusal(id) ?? (looks.Find(target).Count == 0 ? $"there is no process {id}" : null))
                is { } problem)
            {
                throw new InvalidDumpException(problem);
            }
        }
    }

    private static ProcessWatchOptions ReadOptions(ParseResult parsed, ProcessWatchSettings settings, ImmutableArray<WatchTarget> targets, Probes probes)
    {
        ProcessWatchOptions defaults = new() { Targets = targets, Rules = [] };
        TimeSpan interval = parsed.GetValue(settings.Interval) ?? defaults.Interval;
        RepeatedProbe? address = parsed.GetValue(settings.NoAnswer) is { } asked ? probes.OfAddress(asked, interval) : null;
        RepeatedProbe? program = parsed.GetValue(settings.Check) is { } check ? probes.OfProgram(check, interval) : null;
        IEnumerable<IWatchRule?> rules =
        [
            address is null ? null : new NoAnswerRule(settings.NoAnswer.Name, address),
            program is null ? null : new NoAnswerRule(settings.Check.Name, program),
            parsed.GetValue(settings.Processor) is { } share ? new BusyThreadRule(share, parsed.GetValue(settings.For) ?? TimeSpan.FromSeconds(30)) : null,
            parsed.GetValue(settings.Threads) is { } threads ? new ManyThreadsRule(threads) : null,
            parsed.GetValue(settings.HungWindow) is { } hung ? new HungWindowRule(hung) : null,
            parsed.GetValue(settings.Every) is { } every ? new PeriodRule(every) : null,
        ];
        return defaults with
        {
            Rules = [.. rules.OfType<IWatchRule>()],
            Probes = [.. new[] { address, program }.OfType<IAnswerProbe>()],
            Interval = interval,
            BackOff = parsed.GetValue(settings.BackOff) ?? defaults.BackOff,
        };
    }

    private static CaptureFolder Open(string folder, ParseResult parsed, ProcessWatchSettings settings)
    {
        try
        {
            return new CaptureFolder(folder, parsed.GetValue(settings.Captures) ?? 20, parsed.GetValue(settings.Disk) ?? (20L << 30));
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new UnusableOutputException(folder, SafeText.Clean(error.Message.TrimEnd('.'), 300), error);
        }
    }

    private static ImmutableArray<string> Arguments(ParseResult parsed, ProcessWatchSettings settings) =>
    [
        .. GivenValue.Words(settings.Dump.Dac, parsed.GetValue(settings.Dump.Dac)),
        .. GivenValue.Words(settings.Dump.Symbols, parsed.GetValue(settings.Dump.Symbols)),
    ];

    private static void Print(string folder)
    {
        Console.Out.WriteLine(SafeText.Clean(folder));
        Console.Out.Flush();
    }

    private static void Log(string text) => Console.Error.WriteLine(string.Create(CultureInfo.InvariantCulture,
        $"{CommandLines.Program}: {DateTime.UtcNow:yyyy-MM-dd'T'HH:mm:ss'Z'}: {text}"));
}
