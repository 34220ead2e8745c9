namespace Dump.Capture.Windows.Holding;

/// <summary>Stops a process once and lets it go; to dispose it lets the process go too.</summary>
internal interface ITargetHold : IDisposable
{
    /// <summary>Stops all threads.</summary>
    /// <returns>Suspend counts that the threads had before, by thread id.</returns>
    /// <exception cref="Readers.InvalidDumpException">It cannot be stopped; then it runs on.</exception>
    IReadOnlyDictionary<uint, int> Stop();

    /// <summary>Lets it go.</summary>
    /// <returns>How long it was stopped.</returns>
    TimeSpan LetGo();
}
