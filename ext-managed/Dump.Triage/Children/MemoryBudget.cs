using System.Globalization;

namespace Dump.Triage.Children;

/// <summary>
/// Lets no more analyses run at the same time than the machine has memory for. An analysis is expected to need 160 MB and an eighth of its dump's size, at most
/// its limit: measured on dumps of many kinds it was less. One is always let through, else a large dump would wait for ever.
/// </summary>
/// <param name="capacity">Bytes that all together may need.</param>
internal sealed class MemoryBudget(long capacity)
{
    private const long Base = 160L << 20;
    private const int SizeShare = 8;
    private const double Share = 0.8;
    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(200);
    private readonly object _gate = new();
    private long _taken;
    private int _running;

    /// <summary>The budget of this machine: four fifths of what is available now.</summary>
    public static MemoryBudget OfMachine() => new((long)(Math.Min(Available() ?? long.MaxValue, GC.GetGCMemoryInfo().TotalAvailableMemoryBytes) * Share));

    /// <summary>Bytes that an analysis is expected to need.</summary>
    /// <param name="size">Size of the dump in bytes, or null.</param>
    /// <param name="limit">Its memory limit in bytes.</param>
    public static long Expected(long? size, long limit) => Math.Min(limit, Base + ((size ?? 0) / SizeShare));

    /// <summary>Takes it where there is room now.</summary>
    /// <param name="bytes">What is needed; to be given back.</param>
    public bool TryTake(long bytes)
    {
        lock (_gate)
        {
            if (_running > 0 && _taken + bytes > capacity)
            {
                return false;
            }

            _running++;
            _taken += bytes;
            return true;
        }
    }

    /// <summary>Waits until there is room.</summary>
    /// <param name="bytes">What is needed; to be given back.</param>
    /// <param name="cancellation">Ends the waiting.</param>
    public void Take(long bytes, CancellationToken cancellation)
    {
        lock (_gate)
        {
            while (_running > 0 && _taken + bytes > capacity)
            {
                Monitor.Wait(_gate, s_look);
                cancellation.ThrowIfCancellationRequested();
            }

            _running++;
            _taken += bytes;
        }
    }

    /// <summary>Gives back what was taken.</summary>
    public void GiveBack(long bytes)
    {
        lock (_gate)
        {
            _running--;
            _taken -= bytes;
            Monitor.PulseAll(_gate);
        }
    }

    private static long? Available()
    {
        const string Name = "MemAvailable:";
        try
        {
            return File.ReadLines("/proc/meminfo").FirstOrDefault(l => l.StartsWith(Name, StringComparison.Ordinal)) is { } line
                && long.TryParse(line[Name.Length..].Replace("kB", "", StringComparison.Ordinal).Trim(), NumberStyles.None, CultureInfo.InvariantCulture,
                    out long kibibytes) ? kibibytes * 1024 : null;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
