using Dump.Capture.Watching.Looks;

namespace Dump.Capture.Watching;

/// <summary>The time of a watch.</summary>
public interface IWatchClock
{
    /// <summary>Now, on a clock that only measures differences: that of <see cref="ProcessLook.Moment"/>.</summary>
    TimeSpan Now { get; }

    /// <summary>Waits.</summary>
    /// <param name="time">How long.</param>
    /// <param name="stop">Ends the waiting.</param>
    /// <returns>False when it was ended.</returns>
    bool Wait(TimeSpan time, CancellationToken stop);
}
