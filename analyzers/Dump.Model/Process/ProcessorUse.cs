namespace Dump.Model.Process;

/// <summary>What a thread did between two moments, the later of which is that of the snapshot or shortly before it.</summary>
/// <param name="Used">Processor time that it used in between, kernel and user together.</param>
/// <param name="Over">Time between the two moments.</param>
/// <param name="WasAlwaysReady">True when it was ready to run at both moments and never gave up the processor of its own accord in between, false when it slept
/// or waited, null when that was not recorded.</param>
public sealed record ProcessorUse(TimeSpan Used, TimeSpan Over, bool? WasAlwaysReady = null)
{
    /// <summary>
    /// True when it did not wait either from the later moment on until it was stopped for the snapshot, false
    /// when it did, null when it was not stopped or that was not recorded.
    /// </summary>
    public bool? RanUntilStopped { get; init; }

    /// <summary>
    /// How often it gave up the processor of its own accord in between, to wait for something: 0 for a thread that stood in one wait all the time, or that never
    /// waited. Null where that is not counted.
    /// </summary>
    public long? Pauses { get; init; }

    /// <summary>Share of one processor that the thread used in between, 0 to about 1, or null when no time passed.</summary>
    public double? Load => Over > TimeSpan.Zero ? Used / Over : null;
}
