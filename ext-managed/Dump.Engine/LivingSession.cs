using System.Globalization;
using Dump.Analysis;
using Dump.Analysis.Looks;
using Dump.Analysis.Options;
using Dump.Analysis.Pairs;
using Dump.Capture;
using Dump.Capture.Proc;
using Dump.Capture.Shim;
using Dump.Capture.Windows.Calls;
using Dump.Clr.Runtimes;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Readers;
using Dump.Readers.Cabinets;
using Dump.Readers.Stores;
using Dump.Readers.Symbols;
using Dump.Readers.Symbols.Portable;

namespace Dump.Engine;

/// <summary>One process that lives here: looks at it, once or twice, and judges it. It runs on in any case.</summary>
public sealed class LivingSession
{
    /// <summary>Why there is no answer elsewhere.</summary>
    public const string Elsewhere = "live processes are read on Linux and Windows only";

    private static readonly TimeSpan s_shortestPause = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan s_longestPause = TimeSpan.FromSeconds(4);
    private static readonly TimeSpan s_leastStandstill = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan s_longStandstill = TimeSpan.FromSeconds(30);
    private readonly int _process;
    private readonly LivingSettings _settings;

    private LivingSession(int process, LivingSettings settings) => (_process, _settings) = (process, settings);

    /// <summary>A session on a process. It is looked at when something is asked.</summary>
    /// <param name="process">Its id.</param>
    /// <param name="settings">How to look; null for the defaults.</param>
    public static LivingSession Open(int process, LivingSettings? settings = null) => new(process, settings ?? new LivingSettings());

    /// <summary>Time between two looks at a process in which something may stand still.</summary>
    /// <param name="interval">Time between two samples, in which it is looked at as well.</param>
    public static TimeSpan Pause(TimeSpan interval) => TimeSpan.FromTicks(Math.Clamp((interval * 3).Ticks, s_shortestPause.Ticks, s_longestPause.Ticks));

    /// <summary>DbgShim's library: the one that is named, else one beside an installed runtime, on Windows only with Microsoft's signature.</summary>
    /// <param name="named">The file that is named, or null.</param>
    public static LocatedShim FindShim(string? named) =>
        DebuggingShims.Find(named, file => OperatingSystem.IsWindows() ? MicrosoftSignature.ProblemOf(file) : null);

    /// <summary>Looks at it once.</summary>
    /// <param name="progress">Receives what is being done.</param>
    /// <param name="cancellation">Ends the reading.</param>
    /// <exception cref="InvalidDumpException">It cannot be read; the message says why and what to do.</exception>
    /// <exception cref="OperationCanceledException">It was ended.</exception>
    public LiveSnapshot Read(IProgress<string>? progress = null, CancellationToken cancellation = default) => Read(_settings.Look, progress, cancellation);

    /// <summary>Looks at it and judges it; looks again after some seconds where that may show that something stands still.</summary>
    /// <param name="rules">By which rules; null for all of this program.</param>
    /// <param name="progress">Receives what is being done.</param>
    /// <param name="cancellation">Ends the looking.</param>
    /// <exception cref="InvalidDumpException">It cannot be read; the message says why and what to do.</exception>
    /// <exception cref="OperationCanceledException">It was ended.</exception>
    public LivingJudgement Judge(JudgingRules? rules = null, IProgress<string>? progress = null, CancellationToken cancellation = default)
    {
        rules ??= new JudgingRules();
        LiveReadOptions look = _settings.Look;

        // Over both looks, where there are two.
        using IDisposable? kept = LivingProcesses.Keep(_process);
        LiveSnapshot live = Read(look, progress, cancellation);
        AnalysisResult result = Of(live.Snapshot);
        if (live.IsPartial && new Judgement(live.Snapshot, result).MoreMightTell)
        {
            LiveSnapshot full = Read(look with { IsFull = true }, progress, cancellation);
            live = full with { StoppedFor = live.StoppedFor + full.StoppedFor, Stops = live.Stops + full.Stops };
            result = Of(live.Snapshot);
        }

        return result.AsksForAnotherLook ? Again(live, result) : new LivingJudgement(live, result);

        AnalysisResult Of(ProcessSnapshot snapshot) => HangAnalysis.Run(snapshot, rules.Options, rules.Only, rules.Own);

        // What stands still over several seconds tells more than one moment.
        LivingJudgement Again(LiveSnapshot first, AnalysisResult judged)
        {
            progress?.Report("looking again in some seconds: a second look tells whether what waits stands still");
            if (cancellation.WaitHandle.WaitOne(Pause(look.Interval)))
            {
                throw new OperationCanceledException(cancellation);
            }

            try
            {
                LiveSnapshot second = Read(look with { Samples = new LiveReadOptions().Samples, KeepPath = null, IsFull = look.IsFull || !first.IsPartial },
                    progress, cancellation);
                if (SnapshotPair.Create(first.Snapshot, second.Snapshot, out _) is not { } pair)
                {
                    return new LivingJudgement(first, judged);
                }

                // Healthy programs sleep, and ask others, for a few seconds under a lock: that an owner stands as long says nothing of it.
                PairResult both = PairAnalysis.Run(
                    pair, (rules.Options ?? AnalysisOptions.Default) with { LeastStandstill = s_leastStandstill, LongStandstill = s_longStandstill }, rules.Own);
                return new LivingJudgement(second with
                {
                    Snapshot = both.Snapshot, StoppedFor = first.StoppedFor + second.StoppedFor, Stops = first.Stops + second.Stops, NotKept = first.NotKept,
                }, both.Result);
            }
            catch (InvalidDumpException error)
            {
                // It ended meanwhile, or was replaced by another program.
                return new LivingJudgement(first, judged) { NoSecondLook = error.Message };
            }
        }
    }

    /// <summary>One look, with what DbgShim tells and with lines: the sentences of the analysis name them too.</summary>
    private LiveSnapshot Read(LiveReadOptions look, IProgress<string>? progress, CancellationToken cancellation)
    {
        LiveSnapshot read = OperatingSystem.IsLinux() ? LiveSnapshotReader.Read(_process, look, progress, cancellation)
            : OperatingSystem.IsWindows() ? WindowsLiveReader.Read(_process, look, progress, cancellation)
            : throw new InvalidDumpException(Elsewhere);
        ProcessSnapshot snapshot = _settings.AsksShim && FindShim(_settings.Shim).LoadPath is { } library && read.Snapshot.ProcessId is { } process
            ? ShimFacts.Join(read.Snapshot, DbgShim.Ask(library, (int)process))
            : read.Snapshot;

        // The process has been let go: PDB files are looked for where it sees its own.
        return read with
        {
            Snapshot = ManagedLines.Add(snapshot, _settings.Symbols, memory: null,
                OperatingSystem.IsWindows() ? ProcessFiles.Here
                    : ProcessFiles.Below(string.Create(CultureInfo.InvariantCulture, $"/proc/{snapshot.ProcessId}/root"))
                        .Of(ProcessOwners.Of((int)(snapshot.ProcessId ?? 0))),
                _settings.Cabinets, cancellation),
        };
    }
}

/// <summary>What was seen of a living process and what is said of it.</summary>
/// <param name="Live">The facts, and for how long the process was stopped in all.</param>
/// <param name="Result">The judgement.</param>
public sealed record LivingJudgement(LiveSnapshot Live, AnalysisResult Result)
{
    /// <summary>Why the process could not be looked at a second time although something stood still, as a clause; null where it was, or needed not be.</summary>
    public string? NoSecondLook { get; init; }
}

/// <summary>How a living process is looked at.</summary>
public sealed record LivingSettings
{
    /// <summary>How it is sampled, stopped and read.</summary>
    public LiveReadOptions Look { get; init; } = new();

    /// <summary>False not to ask DbgShim.</summary>
    public bool AsksShim { get; init; } = true;

    /// <summary>The file of DbgShim, which is then asked for the runtimes of the process; null for one beside an installed runtime, if there is any.</summary>
    public string? Shim { get; init; }

    /// <summary>Where PDB files are.</summary>
    public SymbolSearchPath Symbols { get; init; } = SymbolSearchPath.Parse(null);

    /// <summary>Unpacks compressed files of symbol stores; null for none.</summary>
    public ICabinets? Cabinets { get; init; }
}
