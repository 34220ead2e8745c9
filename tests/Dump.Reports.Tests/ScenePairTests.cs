using Dump.Analysis;
using Dump.Analysis.Looks;
using Dump.Analysis.Pairs;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Reports.Tests.Scenes;

namespace Dump.Reports.Tests;

/// <summary>Two dumps never know less than the second, for every scene that reports are made of: an earlier dump that shows nothing refutes nothing.</summary>
public sealed class ScenePairTests
{
    private static readonly DateTime s_moment = new(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc);

    public static TheoryData<string> Names => [.. NamedScenes.All.Keys];

    [Theory]
    [MemberData(nameof(Names))]
    public void Every_verdict_on_the_second_dump_stands_that_the_first_does_not_refute(string name)
    {
        ProcessSnapshot last = At(NamedScenes.All[name]().Snapshot, 9);
        ProcessSnapshot empty = At(last, 0) with { Threads = [], Waits = [], Ownerships = [], Available = last.Available with { LockMemory = false } };
        ProcessSnapshot same = At(last, 0) with { Threads = [.. last.Threads.Select(t => t with { Times = Less(t.Times) })] };
        foreach (ProcessSnapshot first in (ProcessSnapshot[])[empty, same])
        {
            Verdict[] both = [.. PairAnalysis.Run(SnapshotPair.Create(first, last, out _)!).Result.Verdicts];
            foreach (Verdict verdict in HangAnalysis.Run(last).Verdicts.Where(v => first == empty || !v.Threads.Any(t => Worked(last, t))))
            {
                Verdict? found = both.FirstOrDefault(v => v.DetectorId == verdict.DetectorId && v.Threads.SequenceEqual(verdict.Threads))
                    ?? both.FirstOrDefault(v => verdict.Threads.All(t => v.Threads.Contains(t) || v.Victims.Any(g => g.ThreadIds.Contains(t))));
                Assert.True(
                    found is not null && found.Confidence >= verdict.Confidence,
                    $"{verdict.DetectorId} {verdict.Confidence} is {found?.DetectorId} {found?.Confidence} in two dumps");
            }
        }
    }

    private static ThreadTimes? Less(ThreadTimes? times) => times is null ? null : times with { User = times.User * 0.97, Kernel = times.Kernel * 0.97 };

    /// <summary>True for a thread whose times say something of the time in between: that it left its wait, or burns less than before.</summary>
    private static bool Worked(ProcessSnapshot last, uint thread) => last.Threads.Any(t => t.Id == thread && t.Times?.Total > TimeSpan.FromSeconds(1));

    private static ProcessSnapshot At(ProcessSnapshot snapshot, int seconds) =>
        snapshot with
        {
            ProcessId = 7,
            ProcessStart = 1,
            Source = snapshot.Source with { Captured = s_moment.AddSeconds(seconds), Earlier = null },
            Threads = [.. snapshot.Threads.Select(t => t with { RecentUse = null })],
        };
}
