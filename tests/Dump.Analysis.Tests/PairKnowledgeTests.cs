using Dump.Analysis.Looks;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;

namespace Dump.Analysis.Tests;

/// <summary>Two dumps never know less than the second: what the first does not refute stands in the answer, as sure as before.</summary>
public sealed class PairKnowledgeTests
{
    private static readonly DateTime s_moment = new(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc);

    [Fact]
    public void Every_verdict_on_the_second_dump_stands_that_the_first_does_not_refute()
    {
        int compared = 0;
        for (int seed = 0; seed < 300; seed++)
        {
            ProcessSnapshot last = At(RandomHang.Make(new Random(seed)), 9);
            foreach (ProcessSnapshot first in Earlier(last))
            {
                compared += Compare(first, last, $"seed {seed}");
            }
        }

        Assert.InRange(compared, 300, int.MaxValue);
    }

    /// <summary>
    /// A dump without threads, and one in which all stood as it stands in the last and the threads that were busy in their lives have been so since.
    /// </summary>
    private static IEnumerable<ProcessSnapshot> Earlier(ProcessSnapshot last)
    {
        yield return At(last, 0) with { Threads = [], Waits = [], Ownerships = [], Available = last.Available with { LockMemory = false } };
        yield return At(last, 0) with
        {
            Threads = [.. last.Threads.Select(t => t with { Times = t.Times is { } times ? times with { User = times.User * 0.97, Kernel = times.Kernel * 0.97 }
                : null })],
            Waits = [.. last.Waits.Where(w => last.Threads.Single(t => t.Id == w.ThreadId).Times is null)],
        };
    }

    private static int Compare(ProcessSnapshot first, ProcessSnapshot last, string what)
    {
        Verdict[] alone = [.. Analysis.HangAnalysis.Run(last).Verdicts];
        Verdict[] both = [.. Pairs.PairAnalysis.Run(SnapshotPair.Create(first, last, out _)!).Result.Verdicts];
        foreach (Verdict verdict in alone)
        {
            Verdict? found = both.FirstOrDefault(v => v.DetectorId == verdict.DetectorId && v.Threads.SequenceEqual(verdict.Threads))
                ?? both.FirstOrDefault(v => verdict.Threads.All(t => v.Threads.Contains(t) || v.Victims.Any(g => g.ThreadIds.Contains(t))));
            Assert.True(found is not null && found.Confidence >= verdict.Confidence,
                $"{what}: {verdict.DetectorId} {verdict.Confidence} is {found?.DetectorId} {found?.Confidence} in two dumps");
        }

        return alone.Length;
    }

    private static ProcessSnapshot At(ProcessSnapshot snapshot, int seconds) =>
        snapshot with { ProcessId = 7, ProcessStart = 1, Source = snapshot.Source with { Captured = s_moment.AddSeconds(seconds) } };
}
