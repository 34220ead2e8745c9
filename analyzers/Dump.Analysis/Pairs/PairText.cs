using Dump.Model.Wording;

namespace Dump.Analysis.Pairs;

/// <summary>Words that sentences on two dumps share.</summary>
internal static class PairText
{
    private const int MostThreads = 8;

    /// <summary>How long before the second the first was taken, between commas, or nothing when that is not known.</summary>
    public static string Earlier(SnapshotPair pair) => pair.Elapsed is { } elapsed ? $", {Naming.Duration(elapsed)} earlier," : "";

    /// <summary>Threads by their ids.</summary>
    public static string Threads(IReadOnlyCollection<uint> threads) =>
        (threads.Count == 1 ? "thread " : "threads ") + string.Join(", ", threads.Take(MostThreads).Select(t => $"0x{t:x}"))
            + (threads.Count > MostThreads ? ", ..." : "");

    /// <summary>Processor time used by threads, at most.</summary>
    public static string AtMost(TimeSpan used) => used == TimeSpan.Zero ? "no CPU time" : $"at most {Naming.Duration(used)} of CPU time";
}
