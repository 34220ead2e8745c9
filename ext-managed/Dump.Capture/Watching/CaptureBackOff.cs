using Dump.Capture.Watching.Looks;

namespace Dump.Capture.Watching;

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
