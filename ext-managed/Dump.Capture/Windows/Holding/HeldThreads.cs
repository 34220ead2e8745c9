namespace Dump.Capture.Windows.Holding;

/// <summary>
/// The threads of a process, suspended one after the other. The suspend count that each had before is told before it is suspended, and to let a thread go is to
/// give it that count, however often it is done: whoever was told of the counts can do it from the beginning when this one is killed at any step.
/// </summary>
/// <param name="threads">The threads.</param>
internal sealed class HeldThreads(ITargetThreads threads) : IDisposable
{
    // Each pass suspends those that appeared during the one before; threads that are suspended start none.
    private const int MostPasses = 20;

    // No thread is suspended more often (MAXIMUM_SUSPEND_COUNT, winnt.h).
    private const int MostCount = 127;
    private readonly Dictionary<uint, int> _before = [];

    /// <summary>Suspends all threads.</summary>
    /// <param name="mostThreads">Most threads.</param>
    /// <param name="told">Told of each thread and the count that it has, before it is suspended; once more where another count was found then.</param>
    /// <returns>False when the process has no thread that can be suspended, or it starts new ones all the time; what was suspended stays so.</returns>
    public bool Stop(int mostThreads, Action<uint, int> told)
    {
        HashSet<uint> known = [];
        for (int pass = 0; pass < MostPasses; pass++)
        {
            uint[] fresh = [.. threads.List(mostThreads).Where(known.Add)];
            if (fresh.Length == 0)
            {
                return _before.Count > 0;
            }

            // What takes time comes first, so that the first of them is not stopped for longer than the last.
            Array.ForEach(fresh, t => Note(t, threads.CountOf(t), told));
            Array.ForEach(fresh, t => Suspend(t, told));
        }

        return false;
    }

    /// <summary>Takes over threads that somebody else has suspended, or was about to, and cannot resume any more.</summary>
    /// <param name="counts">Suspend counts that they had before, by thread id.</param>
    public void TakeOver(IEnumerable<KeyValuePair<uint, int>> counts)
    {
        foreach ((uint thread, int before) in counts)
        {
            _before[thread] = before;
        }
    }

    /// <summary>
    /// Gives each thread the suspend count that it had before. A writer of dumps that was killed leaves counts of its own behind: these are taken away as well.
    /// </summary>
    public void LetGo()
    {
        foreach ((uint thread, int before) in _before)
        {
            // Once more, so that of a thread which has been let go already only this is undone, and not what a debugger did. A count can be no higher than 127:
            // then it fails, and is not missed.
            threads.Suspend(thread);
            for (int i = 0; i <= MostCount && threads.Resume(thread) is { } was && was > before + 1; i++)
            {
            }
        }

        _before.Clear();
    }

    /// <inheritdoc/>
    public void Dispose() => LetGo();

    private void Suspend(uint thread, Action<uint, int> told)
    {
        if (threads.Suspend(thread) is not { } found)
        {
            _before.Remove(thread);
        }
        else if (!_before.TryGetValue(thread, out int expected) || found != expected)
        {
            Note(thread, found, told);
        }
    }

    private void Note(uint thread, int? count, Action<uint, int> told)
    {
        if (count is { } before)
        {
            told(thread, before);
            _before[thread] = before;
        }
    }
}
