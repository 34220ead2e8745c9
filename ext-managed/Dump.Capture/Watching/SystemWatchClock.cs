using System.Diagnostics;

namespace Dump.Capture.Watching;

/// <summary>The time of the system.</summary>
public sealed class SystemWatchClock : IWatchClock
{
    /// <inheritdoc/>
    public TimeSpan Now => Stopwatch.GetElapsedTime(0);

    /// <inheritdoc/>
    public bool Wait(TimeSpan time, CancellationToken stop) => !stop.WaitHandle.WaitOne(time);
}
