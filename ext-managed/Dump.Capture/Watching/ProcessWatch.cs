using System.Collections.Immutable;
using Dump.Capture.Watching.Conditions;
using Dump.Capture.Watching.Looks;

namespace Dump.Capture.Watching;

/// <summary>
/// Looks at processes, which neither stops nor disturbs them, until a condition holds, and captures them then. Goes on when one ends and starts again.
/// </summary>
/// <param name="options">What to look at.</param>
/// <param name="looks">Looks.</param>
/// <param name="captures">Captures.</param>
/// <param name="clock">The time.</param>
/// <param name="log">Told what happens, a sentence without a full stop each (sanitised).</param>
public sealed class ProcessWatch(ProcessWatchOptions options, IProcessLooks looks, ICaptures captures, IWatchClock clock, Action<string> log)
{
    private readonly Dictionary<WatchedProcess, IWatchCondition[]> _watched = [];
    private readonly Dictionary<WatchedProcess, TimeSpan> _captured = [];
    private readonly CaptureBackOff _backOff = new(options.BackOff, options.LongestBackOff);
    private TimeSpan? _searched;
    private bool _hasBegun;

    /// <summary>Watches until it is told to stop, until all processes have ended where all were named by their ids, or until there is nothing left to watch for.</summary>
    /// <param name="stop">Ends it; a capture that is being made is left.</param>
    public void Run(CancellationToken stop)
    {
        try
        {
            do
            {
                Search();
                if (_watched.Count == 0 && options.Targets.All(t => t.Id is not null))
                {
                    return;
                }

                // That which was captured last comes last: what holds for all of them is not always the same one's.
                foreach (WatchedProcess process in _watched.Keys.OrderBy(p => _captured.GetValueOrDefault(p)).ToArray())
                {
                    Look(process, stop);
                }

                captures.Tell(stop);
                if (captures.Done is { } done)
                {
                    log($"{done}: the watch ends");
                    return;
                }
            }
            while (clock.Wait(options.Interval, stop));
        }
        catch (OperationCanceledException) when (stop.IsCancellationRequested)
        {
            // What was begun is left.
        }
    }

    private void Search()
    {
        if (_searched is { } last && clock.Now - last < options.Search)
        {
            return;
        }

        // A process that was named by its id is looked for once: the id may be given again.
        bool isFirst = !_hasBegun;
        _hasBegun = true;
        _searched = clock.Now;
        foreach (WatchTarget target in options.Targets.Where(t => t.Id is null || isFirst))
        {
            foreach (WatchedProcess process in looks.Find(target))
            {
                if (_watched.TryAdd(process, [.. options.Rules.Select(r => r.Begin())]))
                {
                    log($"watches process {process.Id} ({process.Name})");
                }
            }
        }
    }

    private void Look(WatchedProcess process, CancellationToken stop)
    {
        if (looks.Look(process) is not { } look)
        {
            _watched.Remove(process);
            _captured.Remove(process);
            _backOff.Forget(process);
            _searched = options.Targets.Any(t => t.Name is not null) ? null : _searched;
            log($"process {process.Id} ({process.Name}) has ended");
            return;
        }

        // Each condition sees each look, also while it does not count.
        IWatchCondition[] conditions = _watched[process];
        string?[] reasons = [.. conditions.Select(c => c.Check(look))];
        for (int i = 0; i < reasons.Length; i++)
        {
            if (reasons[i] is { } reason && _backOff.Allows(process, options.Rules[i].Name, clock.Now))
            {
                Capture(process, new CaptureReason(options.Rules[i].Name, reason), stop);
                return;
            }
        }
    }

    private void Capture(WatchedProcess process, CaptureReason reason, CancellationToken stop)
    {
        log($"captures process {process.Id} ({process.Name}): {reason.Text}");
        CaptureOutcome outcome = captures.Take(process, reason, stop);
        TimeSpan pause = _backOff.Take(process, reason.Condition, clock.Now, outcome);
        if (outcome != CaptureOutcome.New)
        {
            log($"{reason.Condition} counts again for process {process.Id} in {pause.TotalSeconds:0} s");
        }

        // The process stood still meanwhile: nothing that was seen of it before counts with what comes.
        _watched[process] = [.. options.Rules.Select(r => r.Begin())];
        _captured[process] = clock.Now;
        foreach (IAnswerProbe probe in options.Probes)
        {
            probe.Restart();
        }
    }
}

/// <summary>What a watch looks at, and when it captures.</summary>
public sealed record ProcessWatchOptions
{
    /// <summary>What is watched.</summary>
    public required ImmutableArray<WatchTarget> Targets { get; init; }

    /// <summary>The conditions; each one alone is enough.</summary>
    public required ImmutableArray<IWatchRule> Rules { get; init; }

    /// <summary>What is asked besides; begins anew after each capture.</summary>
    public ImmutableArray<IAnswerProbe> Probes { get; init; } = [];

    /// <summary>Time between two looks.</summary>
    public TimeSpan Interval { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>Time between two searches for processes of a name.</summary>
    public TimeSpan Search { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Pause after a capture before the same condition counts again for that process; doubled while nothing new comes of it.</summary>
    public TimeSpan BackOff { get; init; } = TimeSpan.FromMinutes(5);

    /// <summary>Longest such pause.</summary>
    public TimeSpan LongestBackOff { get; init; } = TimeSpan.FromHours(4);
}

/// <summary>When a condition counts again for a process: later and later while nothing new comes of it.</summary>
/// <param name="least">First pause.</param>
/// <param name="most">Longest one.</param>
internal sealed class CaptureBackOff(TimeSpan least, TimeSpan most)
{
    private readonly Dictionary<(WatchedProcess Process, string Condition), (TimeSpan Until, TimeSpan Pause)> _pauses = [];

    /// <summary>True when a capture may be made.</summary>
    public bool Allows(WatchedProcess process, string condition, TimeSpan now) =>
        !_pauses.TryGetValue((process, condition), out (TimeSpan Until, TimeSpan Pause) pause) || now >= pause.Until;

    /// <summary>Forgets a process that has ended.</summary>
    public void Forget(WatchedProcess process)
    {
        foreach ((WatchedProcess Process, string Condition) key in _pauses.Keys.Where(k => k.Process == process).ToArray())
        {
            _pauses.Remove(key);
        }
    }

    /// <summary>Takes what came of one.</summary>
    /// <returns>The pause that begins now.</returns>
    public TimeSpan Take(WatchedProcess process, string condition, TimeSpan now, CaptureOutcome outcome)
    {
        TimeSpan pause = outcome == CaptureOutcome.New || !_pauses.TryGetValue((process, condition), out (TimeSpan Until, TimeSpan Pause) last)
            ? least
            : TimeSpan.FromTicks(Math.Min(most.Ticks, last.Pause.Ticks * 2));
        _pauses[(process, condition)] = (now + pause, pause);
        return pause;
    }
}

/// <summary>What became of a capture.</summary>
public enum CaptureOutcome
{
    /// <summary>It was kept: such a hang was not captured before.</summary>
    New,

    /// <summary>It was not kept: there is one of the same hang.</summary>
    Known,

    /// <summary>It was not made, or came to nothing.</summary>
    Failed,
}

/// <summary>Why a process is captured.</summary>
/// <param name="Condition">Name of the condition, as on the command line.</param>
/// <param name="Text">What was seen, as a clause (sanitised).</param>
public sealed record CaptureReason(string Condition, string Text);
