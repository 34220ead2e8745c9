namespace Dump.Fuzz.Oracles;

/// <summary>The largest allocations, as multiples of the file's length, and the longest time of a set of cases.</summary>
internal sealed class Peaks
{
    private (string Damage, double Value) _reading = ("", 0);
    private (string Damage, double Value) _total = ("", 0);
    private (string Damage, double Value) _time = ("", 0);

    /// <summary>Number of cases.</summary>
    public int Count { get; private set; }

    public void Add(string damage, long length, long reading, long allocated, TimeSpan time)
    {
        Count++;
        Raise(ref _reading, damage, (double)reading / Math.Max(1, length));
        Raise(ref _total, damage, (double)allocated / Math.Max(1, length));
        Raise(ref _time, damage, time.TotalMilliseconds);
    }

    public override string ToString() =>
        $"{Count} cases; reading {_reading.Value:0.0} times the file ({_reading.Damage}); everything {_total.Value:0} times ({_total.Damage}); {_time.Value:0} ms ({_time.Damage})";

    private static void Raise(ref (string Damage, double Value) peak, string damage, double value) => peak = value > peak.Value ? (damage, value) : peak;
}
