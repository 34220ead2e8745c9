namespace Dump.Capture.Windows.Holding;

/// <summary>Stops a process once and lets it go; to dispose it lets the process go too.</summary>
internal interface ITargetHold : IDisposable
{
    /// <summary>Cancelled when the process was let go because its time was over.</summary>
    CancellationToken Expired { get; }

    /// <summary>Stops all threads.</summary>
    /// <param name="limit">For how long at most; then they are let go, whatever is being done.</param>
    /// <returns>Suspend counts that the threads had before, by thread id.</returns>
    /// <exception cref="Readers.InvalidDumpException">It cannot be stopped; then it runs on.</exception>
    IReadOnlyDictionary<uint, int> Stop(TimeSpan limit);

    /// <summary>Lets it go.</summary>
    /// <returns>How long it was stopped.</returns>
    TimeSpan LetGo();
}
