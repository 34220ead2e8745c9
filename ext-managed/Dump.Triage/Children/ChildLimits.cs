namespace Dump.Triage.Children;

/// <summary>Limits of one analysis.</summary>
/// <param name="Time">Wall time.</param>
/// <param name="Memory">Bytes of memory, all its processes together, pages of mapped files not counted.</param>
public sealed record ChildLimits(TimeSpan Time, long Memory)
{
    /// <summary>Longest report in bytes that is kept.</summary>
    public int OutputBytes { get; init; } = 64 << 20;
}
