using Dump.Capture.Windows.Holding;

namespace Dump.Capture.Tests.Windows;

/// <summary>Threads with suspend counts, and who deals with them: killed before a step, a step being whatever is done to a thread or told of it.</summary>
/// <param name="counts">Suspend counts by thread id.</param>
/// <param name="tellsCounts">False for a system that does not tell a count without changing it.</param>
internal sealed class RecordedThreads(Dictionary<uint, int> counts, bool tellsCounts = true) : ITargetThreads
{
    private const int MostCount = 127;

    /// <summary>Suspend counts by thread id.</summary>
    public Dictionary<uint, int> Counts { get; } = counts;

    /// <summary>How many steps are left until who does them is killed.</summary>
    public int StepsLeft { get; set; } = int.MaxValue;

    /// <summary>Threads that start when others are listed, one each time.</summary>
    public Queue<uint> Starting { get; } = [];

    /// <summary>Told what was told.</summary>
    public Dictionary<uint, int> Told { get; } = [];

    public IReadOnlyList<uint> List(int most)
    {
        uint[] listed = [.. Counts.Keys.Order().Take(most)];
        if (Starting.TryDequeue(out uint next))
        {
            Counts[next] = 0;
        }

        return listed;
    }

    public int? CountOf(uint thread) => tellsCounts && Counts.TryGetValue(thread, out int count) ? count : null;

    public int? Suspend(uint thread) => Change(thread, c => c < MostCount ? c + 1 : null);

    public int? Resume(uint thread) => Change(thread, c => Math.Max(0, c - 1));

    /// <summary>What the other side hears.</summary>
    public void Tell(uint thread, int count)
    {
        Step();
        Told[thread] = count;
    }

    public void Dispose()
    {
    }

    private int? Change(uint thread, Func<int, int?> change)
    {
        Step();
        if (!Counts.TryGetValue(thread, out int count) || change(count) is not { } next)
        {
            return null;
        }

        Counts[thread] = next;
        return count;
    }

    private void Step()
    {
        if (StepsLeft-- <= 0)
        {
            throw new KilledException();
        }
    }

    /// <summary>The end of who deals with the threads.</summary>
    public sealed class KilledException : Exception;
}
