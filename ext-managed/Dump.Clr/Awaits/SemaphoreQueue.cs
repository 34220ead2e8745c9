namespace Dump.Clr.Awaits;

/// <summary>All that waits for a semaphore.</summary>
/// <param name="Tasks">Its waits and what cannot complete before them.</param>
/// <param name="Threads">Threads that wait for it or block in one of these tasks.</param>
/// <param name="NeverEnds">True when every wait is known to have neither a time limit nor a token, and all threads that the semaphore counts are known.</param>
internal sealed record SemaphoreQueue(IReadOnlySet<int> Tasks, IReadOnlySet<uint> Threads, bool NeverEnds)
{
    /// <summary>A wait alone may be meant to have no end: to park a program.</summary>
    private const int LeastWaiters = 2;

    /// <summary>So many share what lives long and can be reached by others; to follow the references of them all takes its time.</summary>
    private const int MostWaiters = 1_000;

    /// <summary>True when it is worth looking who else has the semaphore.</summary>
    /// <param name="semaphore">The semaphore.</param>
    public bool IsInQuestion(Model.Managed.AwaitedSemaphore semaphore) =>
        NeverEnds && semaphore.Waiters + semaphore.Blocked is >= LeastWaiters and <= MostWaiters;
}
