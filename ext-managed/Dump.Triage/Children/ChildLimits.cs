namespace Dump.Triage.Children;

/// <summary>Limits of one analysis.</summary>
/// <param name="Time">Wall time.</param>
/// <param name="Memory">Bytes of memory, all its processes together, pages of mapped files not counted.</param>
public sealed record ChildLimits(TimeSpan Time, long Memory)
{
    /// <summary>Longest report in bytes that is kept.</summary>
    public int OutputBytes { get; init; } = 64 << 20;

    /// <summary>
    /// Windows: what it starts is not ended with it, nor counted. Of a look at a living process: what holds that process must outlive the look, to let it go.
    /// </summary>
    public bool LeavesChildren { get; init; }

    /// <summary>Longest time in which its processes use no processor time and <see cref="Written"/> stays the same; null for no such limit.</summary>
    public TimeSpan? Idle { get; init; }

    /// <summary>Tells the bytes that it has written so far, as a sign of progress; null where it writes nothing that counts.</summary>
    public Func<long>? Written { get; init; }
}
