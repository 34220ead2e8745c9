using System.Runtime.Versioning;
using Dump.Capture.Windows.Calls;

namespace Dump.Capture.Windows.Holding;

/// <summary>The threads of a process, suspended one after the other, each of which keeps the suspend count that it had before in mind.</summary>
/// <param name="process">Process id.</param>
[SupportedOSPlatform("windows")]
internal sealed class HeldThreads(int process) : IDisposable
{
    // Each pass suspends those that appeared during the one before; threads that are suspended start none.
    private const int MostPasses = 20;

    // No thread is suspended more often (MAXIMUM_SUSPEND_COUNT, winnt.h).
    private const int MostCount = 127;
    private readonly List<HeldThread> _threads = [];

    /// <summary>Suspends all threads.</summary>
    /// <param name="mostThreads">Most threads.</param>
    /// <param name="stopped">Told of each thread at once.</param>
    /// <returns>False when the process has no thread that can be suspended, or it starts new ones all the time; what was suspended stays so.</returns>
    public bool Stop(int mostThreads, Action<uint, int> stopped)
    {
        HashSet<uint> known = [];
        for (int pass = 0; pass < MostPasses; pass++)
        {
            int before = known.Count;
            foreach (uint id in ThreadList.Of(process, mostThreads).Where(known.Add))
            {
                if (ThreadList.Open(process, id, WindowsRights.StopThread) is { } thread)
                {
                    Suspend(id, thread, stopped);
                }
            }

            if (known.Count == before)
            {
                return _threads.Count > 0;
            }
        }

        return false;
    }

    /// <summary>Takes over threads that somebody else has suspended, who cannot resume them any more.</summary>
    /// <param name="counts">Suspend counts that they had before, by thread id.</param>
    public void TakeOver(IEnumerable<KeyValuePair<uint, int>> counts)
    {
        foreach ((uint id, int before) in counts)
        {
            if (ThreadList.Open(process, id, WindowsRights.StopThread) is { } thread)
            {
                _threads.Add(new HeldThread(id, thread, before));
            }
        }
    }

    /// <summary>
    /// Gives each thread the suspend count that it had before. A writer of dumps that was killed leaves counts of its own behind: these are taken away as well.
    /// </summary>
    public void LetGo()
    {
        foreach (HeldThread thread in _threads)
        {
            for (int i = 0; i < MostCount && Kernel32.ResumeThread(thread.Handle) is var was && was != Kernel32.Failed && was > thread.Before + 1; i++)
            {
            }

            thread.Handle.Dispose();
        }

        _threads.Clear();
    }

    /// <inheritdoc/>
    public void Dispose() => LetGo();

    private void Suspend(uint id, WindowsHandle thread, Action<uint, int> stopped)
    {
        uint before = Kernel32.SuspendThread(thread);
        if (before == Kernel32.Failed)
        {
            thread.Dispose();
            return;
        }

        _threads.Add(new HeldThread(id, thread, (int)before));
        stopped(id, (int)before);
    }
}
