namespace Dump.Readers.Tests.Fuzz;

/// <summary>The largest allocation and the longest time of a set of cases.</summary>
internal sealed class Peaks
{
    private string _largest = "";
    private long _bytes;
    private string _longest = "";
    private TimeSpan _time;

    /// <summary>Number of cases.</summary>
    public int Count { get; private set; }

    public static long MaximumAllocation(int fileSize) => (256L << 20) + fileSize;

    public void Add(string damage, long allocated, TimeSpan time)
    {
        Count++;
        if (allocated > _bytes)
        {
            (_largest, _bytes) = (damage, allocated);
        }

        if (time > _time)
        {
            (_longest, _time) = (damage, time);
        }
    }

    public override string ToString() => $"{Count} cases; most memory {_bytes / 1024} KB ({_largest}); most time {_time.TotalMilliseconds:0} ms ({_longest})";
}
