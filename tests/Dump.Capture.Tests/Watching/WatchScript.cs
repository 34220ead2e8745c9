using Dump.Capture.Watching;
using Dump.Capture.Watching.Conditions;
using Dump.Capture.Watching.Looks;

namespace Dump.Capture.Tests.Watching;

/// <summary>
/// Processes whose looks are a script over a clock that jumps from look to look; captures take half a minute and come to what the script says.
/// </summary>
internal sealed class WatchScript : IProcessLooks, IWatchClock, ICaptures, IAnswerProbe
{
    private readonly List<ScriptedProcess> _processes = [];
    private readonly TimeSpan _end;
    private readonly CancellationTokenSource _stop = new();

    /// <summary>Nothing runs yet.</summary>
    /// <param name="end">When the watch is ended.</param>
    public WatchScript(TimeSpan end) => _end = end;

    public TimeSpan Now { get; private set; }

    /// <summary>What a capture comes to.</summary>
    public Func<int, CaptureOutcome> Outcome { get; init; } = _ => CaptureOutcome.New;

    /// <summary>Until when, and from when on, the question is not answered.</summary>
    public Func<TimeSpan, bool> Fails { get; init; } = _ => false;

    public string? Failure => Fails(Now) ? "it did not answer" : null;

    public int Restarts { get; private set; }

    public List<(TimeSpan Moment, int Process, string Condition, string Reason)> Taken { get; } = [];

    public List<string> Log { get; } = [];

    public int Looks { get; private set; }

    public int ThreadReads { get; private set; }

    /// <summary>Adds a process.</summary>
    public WatchScript With(ScriptedProcess process)
    {
        _processes.Add(process);
        return this;
    }

    /// <summary>Watches to the end.</summary>
    public WatchScript Run(string target, params IWatchRule[] rules) => Run([target], rules);

    /// <summary>Watches to the end.</summary>
    public WatchScript Run(string[] targets, IWatchRule[] rules)
    {
        ProcessWatchOptions options = new() { Targets = [.. targets.Select(t => WatchTarget.Parse(t)!)], Rules = [.. rules], Probes = [this] };
        new ProcessWatch(options, this, this, this, Log.Add).Run(_stop.Token);
        return this;
    }

    public IReadOnlyList<WatchedProcess> Find(WatchTarget target) =>
        [.. _processes.Where(p => IsAlive(p) && (target.Id == p.Id || target.Matches(p.Name))).Select(p => new WatchedProcess(p.Id, p.Name, p.From))];

    public ProcessLook? Look(WatchedProcess process)
    {
        Looks++;
        return _processes.FirstOrDefault(p => p.Id == process.Id && p.From == process.Started && IsAlive(p)) is { } found
            ? new ProcessLook(Now, Sum(found), found.Threads(Now))
            {
                ReadThreads = () =>
                {
                    ThreadReads++;
                    return Enumerable.Range(0, found.Used.Length)
                        .ToDictionary(i => new WatchedThread((uint)(found.Id + i), found.From), i => found.Used[i](Now));
                },
            }
            : null;
    }

    public long? Memory(WatchedProcess process) => null;

    public bool Wait(TimeSpan time, CancellationToken stop)
    {
        Now += time;
        return Now < _end;
    }

    public CaptureOutcome Take(WatchedProcess process, CaptureReason reason, CancellationToken stop)
    {
        Taken.Add((Now, process.Id, reason.Condition, reason.Text));
        Now += TimeSpan.FromSeconds(30);
        return Outcome(Taken.Count);
    }

    public void Tell(CancellationToken stop)
    {
    }

    /// <summary>How many captures are enough.</summary>
    public int Enough { get; init; } = int.MaxValue;

    public string? Done => Taken.Count >= Enough ? "enough" : null;

    public void Restart() => Restarts++;

    private bool IsAlive(ScriptedProcess process) => Now >= process.From && Now < process.Until;

    private TimeSpan Sum(ScriptedProcess process) => TimeSpan.FromTicks(process.Used.Sum(u => u(Now).Ticks));
}
