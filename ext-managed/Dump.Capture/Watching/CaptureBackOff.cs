namespace Dump.Capture.Watching;

/// <summary>When a condition counts again for programs of a name: later and later while nothing new comes of it.</summary>
/// <param name="least">First pause.</param>
/// <param name="most">Longest one.</param>
internal sealed class CaptureBackOff(TimeSpan least, TimeSpan most)
{
    private readonly Dictionary<(string Program, string Condition), (TimeSpan Until, TimeSpan Pause)> _pauses = [];

    /// <summary>True when a capture may be made.</summary>
    public bool Allows(string program, string condition, TimeSpan now) =>
        !_pauses.TryGetValue((program, condition), out (TimeSpan Until, TimeSpan Pause) pause) || now >= pause.Until;

    /// <summary>Takes what came of one.</summary>
    /// <returns>The pause that begins now.</returns>
    public TimeSpan Take(string program, string condition, TimeSpan now, CaptureOutcome outcome)
    {
        TimeSpan pause = outcome == CaptureOutcome.New || !_pauses.TryGetValue((program, condition), out (TimeSpan Until, TimeSpan Pause) last)
            ? least
            : TimeSpan.FromTicks(Math.Min(most.Ticks, last.Pause.Ticks * 2));
        _pauses[(program, condition)] = (now + pause, pause);
        return pause;
    }
}
