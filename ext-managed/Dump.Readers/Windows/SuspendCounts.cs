using Dump.Readers.Minidump;

namespace Dump.Readers.Windows;

/// <summary>
/// Tells which threads somebody has suspended. A writer suspends all threads before it records their counts, or none, or records nothing: of real dumps some
/// have 0 for every thread and some 1, under Wine all have -1. Only a thread that stands out from the others says something.
/// </summary>
internal static class SuspendCounts
{
    /// <summary>MAXIMUM_SUSPEND_COUNT of winnt.h; more is no count.</summary>
    private const uint Most = 127;

    /// <summary>
    /// By how much the count of each living thread exceeds that of the majority, at least 0; null when no thread's does, when there is no majority of two or
    /// more, or when a count is not recorded.
    /// </summary>
    public static IReadOnlyDictionary<uint, int>? AboveOthers(MinidumpFile dump)
    {
        MinidumpThread[] alive = [.. dump.Threads.Where(t => dump.ThreadInfos?.GetValueOrDefault(t.Id)?.HasExited != true)];
        if (alive.Length < 2 || alive.Any(t => t.SuspendCount > Most))
        {
            return null;
        }

        IGrouping<uint, MinidumpThread> usual = alive.GroupBy(t => t.SuspendCount).MaxBy(g => g.Count())!;
        int same = usual.Count();
        return same < 2 || same * 2 <= alive.Length || alive.All(t => t.SuspendCount <= usual.Key)
            ? null
            : alive.GroupBy(t => t.Id).ToDictionary(g => g.Key, g => Math.Max(0, (int)g.First().SuspendCount - (int)usual.Key));
    }
}
