using Dump.Model.Process;
using Dump.Readers.Minidump;
using Dump.Readers.Windows.Waits;

namespace Dump.Readers.Windows;

/// <summary>
/// Tells which threads somebody has suspended. A writer suspends all threads before it records their counts, or none, or records nothing: of real dumps some
/// have 0 for every thread and some 1, under Wine all have -1. Only a thread that stands out from the others says something.
/// </summary>
internal static class SuspendCounts
{
    /// <summary>MAXIMUM_SUSPEND_COUNT of winnt.h; more is no count.</summary>
    private const uint Most = 127;

    /// <summary>Fewest threads of which one that stands below all others says that it has suspended them.</summary>
    private const int FewestBelow = 3;

    /// <summary>
    /// By how much the count of each living thread exceeds what the writer gives each, at least 0: that of the majority, or of the only thread that stands
    /// below all others, which has suspended them. Null when no thread stands out, when there is no majority of two or more, or when a count is not recorded.
    /// </summary>
    /// <param name="dump">The dump.</param>
    /// <param name="threads">The same threads with their stacks: one that writes the dump of its own process suspends all others for that.</param>
    public static IReadOnlyDictionary<uint, int>? AboveOthers(MinidumpFile dump, IReadOnlyList<WindowsThread> threads)
    {
        MinidumpThread[] alive = [.. dump.Threads.Where(t => dump.ThreadInfos?.GetValueOrDefault(t.Id)?.HasExited != true)];
        if (alive.Length < 2 || alive.Any(t => t.SuspendCount > Most))
        {
            return null;
        }

        IGrouping<uint, MinidumpThread> usual = alive.GroupBy(t => t.SuspendCount).MaxBy(g => g.Count())!;
        int same = usual.Count();
        if (same < 2 || same * 2 <= alive.Length)
        {
            return null;
        }

        uint given = alive.Any(t => t.SuspendCount > usual.Key) || !SuspendedAllOthers(alive, usual.Key, threads) ? usual.Key : alive.Min(t => t.SuspendCount);
        return alive.All(t => t.SuspendCount <= given)
            ? null
            : alive.GroupBy(t => t.Id).ToDictionary(g => g.Key, g => Math.Max(0, (int)g.First().SuspendCount - (int)given));
    }

    /// <summary>True when one thread stands below all others, which are alike, and its whole stack shows that it does not write the dump.</summary>
    private static bool SuspendedAllOthers(MinidumpThread[] alive, uint usual, IReadOnlyList<WindowsThread> threads) =>
        alive.Length >= FewestBelow && alive.Where(t => t.SuspendCount < usual).ToArray() is [var below] && threads.Count(t => t.Id == below.Id) == 1
            && threads.First(t => t.Id == below.Id) is { End: StackEnd.Complete } thread && !thread.Frames.Any(IsWriter);

    /// <summary>The libraries that have MiniDumpWriteDump (minidumpapiset.h).</summary>
    private static bool IsWriter(StackFrame frame) => frame.ModuleStem is null or "dbghelp" or "dbgcore";
}
