using System.Reflection;

namespace Dump.Benchmarks.Heap;

/// <summary>
/// The process whose heap is walked: many small objects of many sizes, 10,000 dictionaries, one of them with a cycle. Started by the benchmark as a process of
/// its own.
/// </summary>
internal static class HeapProgram
{
    /// <summary>Dictionaries that it makes; the runtime has a few of its own.</summary>
    public const int Dictionaries = 10_000;

    private const int EntriesEach = 20;
    private static readonly TimeSpan s_lifetime = TimeSpan.FromMinutes(5);

    /// <summary>Makes the heap, prints <c>ready</c> and the address-free facts, and sleeps.</summary>
    /// <param name="objects">How many small objects to make.</param>
    /// <param name="hangs">True to make two threads wait for each other's monitor first.</param>
    public static int Run(int objects, bool hangs)
    {
        if (hangs)
        {
            Hang();
        }

        object[][] kept = new object[(objects + 9_999) / 10_000][];
        for (int i = 0; i < kept.Length; i++)
        {
            kept[i] = new object[10_000];
            for (int j = 0; j < kept[i].Length; j++)
            {
                kept[i][j] = (j % 8) switch
                {
                    0 => new Pair(j, i),
                    1 => new Link(kept[i][j - 1]),
                    2 => (object)(long)j,
                    3 => new byte[j % 64],
                    4 => new Order(i, j, null),
                    5 => new string('x', j % 24),
                    6 => new Link(null),
                    _ => new Pair(j, j),
                };
            }
        }

        Dictionary<int, string>[] dictionaries = [.. Enumerable.Range(0, Dictionaries).Select(_ => Filled())];
        Break(dictionaries[Dictionaries / 2]);
        GC.Collect();
        Console.WriteLine("ready");
        Thread.Sleep(s_lifetime);
        GC.KeepAlive(kept);
        GC.KeepAlive(dictionaries);
        return 0;
    }

    private static void Hang()
    {
        object left = new(), right = new();
        Barrier bothOwn = new(2);
        Thread[] threads = [.. new[] { (left, right), (right, left) }.Select(pair =>
            new Thread(() => TakeBoth(pair.Item1, pair.Item2, bothOwn)) { IsBackground = true })];
        Array.ForEach(threads, t => t.Start());
        while (!threads.All(t => (t.ThreadState & ThreadState.WaitSleepJoin) != 0) || bothOwn.CurrentPhaseNumber == 0)
        {
            Thread.Sleep(20);
        }
    }

    private static void TakeBoth(object own, object next, Barrier bothOwn)
    {
        lock (own)
        {
            bothOwn.SignalAndWait();
            lock (next)
            {
            }
        }
    }

    private static Dictionary<int, string> Filled()
    {
        Dictionary<int, string> filled = [];
        for (int i = 0; i < EntriesEach; i++)
        {
            filled.Add(i * 7919, "value");
        }

        return filled;
    }

    /// <summary>Makes the entry that bucket 0 begins with name itself.</summary>
    private static void Break(Dictionary<int, string> dictionary)
    {
        const BindingFlags Any = BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public;
        Array entries = (Array)dictionary.GetType().GetField("_entries", Any)!.GetValue(dictionary)!;
        int[] buckets = (int[])dictionary.GetType().GetField("_buckets", Any)!.GetValue(dictionary)!;
        int first = buckets.First(b => b > 0) - 1;
        object entry = entries.GetValue(first)!;
        entry.GetType().GetField("next", Any)!.SetValue(entry, first);
        entries.SetValue(entry, first);
    }

    private sealed record Pair(int Left, int Right);

    private sealed record Link(object? Next);

    private sealed record Order(int Number, long Amount, string? Note);
}
