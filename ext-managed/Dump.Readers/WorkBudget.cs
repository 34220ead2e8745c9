using System.Globalization;
using Dump.Model.Process;

namespace Dump.Readers;

/// <summary>
/// What the files of one analysis may cost, together: those that lead to much work for their size are hostile or damaged. The budget grows with every file that is
/// opened, and all tables, programs and expressions of all of them take from it. What does not fit is left out and said. Without a budget nothing is limited so;
/// each reader has limits of its own besides. Safe for concurrent use.
/// </summary>
public sealed class WorkBudget
{
    // Work is counted in nanoseconds as a slow processor needs them; figures: docs/reliability.md.
    private const long LeastWork = 4_000_000_000;
    private const long WorkOfByte = 200;
    private const long LeastMemory = 160L << 20;
    private const long MemoryOfByte = 8;
    private static readonly AsyncLocal<WorkBudget?> s_current = new();
    private long _work = LeastWork;
    private long _memory = LeastMemory;
    private int _refused;

    private WorkBudget()
    {
    }

    /// <summary>Begins the budget of an analysis: what is called from here on takes from it.</summary>
    public static void Begin() => s_current.Value = new WorkBudget();

    /// <summary>Adds a file that was opened.</summary>
    /// <param name="bytes">Its length.</param>
    public static void Add(long bytes)
    {
        if (s_current.Value is { } budget)
        {
            Interlocked.Add(ref budget._work, bytes * WorkOfByte);
            Interlocked.Add(ref budget._memory, bytes * MemoryOfByte);
        }
    }

    /// <summary>Takes work; false when it is no longer to be done.</summary>
    /// <param name="nanoseconds">How long it takes at most, about.</param>
    public static bool Take(long nanoseconds) => s_current.Value is not { } budget || budget.IsIn(ref budget._work, nanoseconds);

    /// <summary>Takes memory that is kept for a while; false when it is not to be allocated.</summary>
    /// <param name="bytes">How much, copies on the way included.</param>
    public static bool Hold(long bytes) => s_current.Value is not { } budget || budget.IsIn(ref budget._memory, bytes);

    /// <summary>Gives back memory that was taken and not needed.</summary>
    /// <param name="bytes">How much.</param>
    public static void Release(long bytes)
    {
        if (s_current.Value is { } budget)
        {
            Interlocked.Add(ref budget._memory, bytes);
        }
    }

    /// <summary>What was left out, or null.</summary>
    public static ReaderProblem? Problem => s_current.Value is { _refused: not 0 }
        ? new ReaderProblem("files", string.Create(CultureInfo.InvariantCulture,
            $"these files cost more than their size allows ({LeastWork / 1_000_000_000} s + {WorkOfByte} ns/byte, {LeastMemory >> 20} MiB + {MemoryOfByte} bytes/byte); "
            + $"the rest is left out"))
        : null;

    private bool IsIn(ref long left, long wanted)
    {
        if (Interlocked.Add(ref left, -wanted) >= 0)
        {
            return true;
        }

        // What is refused is not done: the next that fits still is.
        Interlocked.Add(ref left, wanted);
        _refused = 1;
        return false;
    }
}
