namespace Dump.Capture.Windows.Holding;

/// <summary>
/// The threads of one process, as the system lets them be suspended and resumed. Suspend counts go from 0 to 127 (MAXIMUM_SUSPEND_COUNT, winnt.h).
/// </summary>
internal interface ITargetThreads : IDisposable
{
    /// <summary>Ids of the threads that there are now; empty when the process has ended.</summary>
    /// <param name="most">Most ids.</param>
    IReadOnlyList<uint> List(int most);

    /// <summary>The suspend count of a thread, without changing it; null when the thread has ended, may not be asked, or the system does not tell.</summary>
    int? CountOf(uint thread);

    /// <summary>Suspends a thread once more.</summary>
    /// <returns>The count that it had before; null when it cannot be suspended.</returns>
    int? Suspend(uint thread);

    /// <summary>Takes one away from the count, where that is not 0.</summary>
    /// <returns>The count that it had before; null when it cannot be resumed.</returns>
    int? Resume(uint thread);
}
