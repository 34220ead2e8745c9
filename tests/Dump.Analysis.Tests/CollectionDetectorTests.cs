using Dump.Analysis.Collections;
using Dump.Model.Collections;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;

namespace Dump.Analysis.Tests;

/// <summary>DUMP3001 and DUMP3002: what makes them speak, what keeps them silent.</summary>
public sealed class CollectionDetectorTests
{
    [Theory]
    [InlineData("DUMP3001")]
    [InlineData("DUMP3002")]
    public void Without_stacks_the_question_is_open(string detector)
    {
        AnalysisResult result = HangAnalysis.Run(new SnapshotBuilder { Available = DataAvailability.All with { Stacks = false } }.Thread(1).Build());
        Assert.Equal(DetectorOutcomeKind.InsufficientData, result.Outcomes.Single(o => o.DetectorId == detector).Kind);
    }

    private static Verdict Broken(CollectionFaultKind kind, bool loops, uint[] inside) =>
        Assert.Single(HangAnalysis.Run(new SnapshotBuilder().Thread(1).Build() with
    {
        Collections = [new CollectionFinding(0x8000, "System.Collections.Generic.Dictionary<System.Int32, System.Int32>",
            [new CollectionFault(kind, "entries[1] -> entries[1]", [1, 1])], [.. inside], [1], loops)],
    }).Verdicts);

    [Fact]
    public void Cycle_with_a_thread_inside_on_a_runtime_that_follows_it_is_confirmed() =>
        Assert.Equal(("DUMP3001", Confidence.Confirmed), (Broken(CollectionFaultKind.BucketCycle, true, [1]).DetectorId,
            Broken(CollectionFaultKind.BucketCycle, true, [1]).Confidence));

    [Theory]
    [InlineData(CollectionFaultKind.BucketCycle, false, true)]
    [InlineData(CollectionFaultKind.BucketCycle, true, false)]
    [InlineData(CollectionFaultKind.WrongBucket, true, true)]
    public void Cycle_that_throws_or_that_nobody_is_in_is_likely(CollectionFaultKind kind, bool loops, bool isInside) =>
        Assert.Equal(Confidence.Likely, Broken(kind, loops, isInside ? [1] : []).Confidence);

    private static AnalysisResult HalfDone(CollectionFaultKind kind, uint[] inside, uint[] changing, uint[]? referring = null) =>
        HangAnalysis.Run(new SnapshotBuilder().Thread(1).Thread(2).Build() with
    {
        Collections =
        [
            new CollectionFinding(0x8000, "System.Collections.Generic.Dictionary<System.Int32, System.Int32>",
                [new CollectionFault(kind, "4 entries are reachable, 5 are counted", []) { MayBeHalfDone = true }],
                [.. inside], [.. referring ?? [1]], true) { ThreadsChanging = [.. changing] },
        ],
    });

    [Theory]
    [InlineData(CollectionFaultKind.CountMismatch)]
    [InlineData(CollectionFaultKind.SharedNode)]
    [InlineData(CollectionFaultKind.WriterFlag)]
    public void What_a_writer_at_work_leaves_for_a_moment_is_no_fault(CollectionFaultKind kind) => Assert.Empty(HalfDone(kind, [1], [1]).Verdicts);

    [Theory]
    [InlineData(new uint[0])]
    [InlineData(new uint[] { 1 })]
    public void Wrong_count_without_writer_is_only_suspected(uint[] inside) =>
        Assert.Equal(("DUMP3001", Confidence.Suspected), Assert.Single(HalfDone(CollectionFaultKind.CountMismatch, inside, []).Verdicts) is var v
            ? (v.DetectorId, v.Confidence) : default);

    [Fact]
    public void Collection_that_no_thread_uses_is_no_reason_of_a_hang() => Assert.Empty(HalfDone(CollectionFaultKind.CountMismatch, [], [], []).Verdicts);

    [Fact]
    public void Reader_of_a_table_whose_writer_is_gone_spins() =>
        Assert.Equal(Confidence.Likely, Assert.Single(HalfDone(CollectionFaultKind.WriterFlag, [1], []).Verdicts).Confidence);

    /// <summary>Of a thread whose objects could not be asked for it is not known that it is not the writer.</summary>
    [Fact]
    public void Reader_of_a_table_whose_writer_may_be_a_thread_that_could_not_be_read_is_only_suspected()
    {
        ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1).Thread(2).Build();
        CollectionFinding finding = new(0x8000, "System.Collections.Hashtable",
            [new CollectionFault(CollectionFaultKind.WriterFlag, "it says that a writer is at work", []) { MayBeHalfDone = true }], [1], [1], true)
        {
            MayHaveOtherUsers = true,
        };
        Verdict verdict = Assert.Single(HangAnalysis.Run(snapshot with { Collections = [finding] }).Verdicts);
        Assert.Equal(Confidence.Suspected, verdict.Confidence);
        Assert.Contains(verdict.Claims, c => c.Text.Contains("may be changing it at this moment", StringComparison.Ordinal));
        Assert.DoesNotContain(verdict.Claims, c => c.Text.Contains("no thread is inside of a method that writes", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(true, "Whether a thread is inside of it is unknown; ")]
    [InlineData(false, "No thread is inside of it at this moment; ")]
    public void That_nobody_is_inside_is_said_only_where_all_threads_could_be_read(bool mayHaveOthers, string expected)
    {
        CollectionFinding finding = new(0x8000, "System.Collections.Generic.LinkedList<System.Int32>",
            [new CollectionFault(CollectionFaultKind.NodeCycle, "node", [])], [], [1], true) { MayHaveOtherUsers = mayHaveOthers };
        Verdict verdict = Assert.Single(HangAnalysis.Run(new SnapshotBuilder().Thread(1).Build() with { Collections = [finding] }).Verdicts);
        Assert.Contains(expected, verdict.Claims[0].Text, StringComparison.Ordinal);
        Assert.Equal(Confidence.Likely, verdict.Confidence);
    }

    [Theory]
    [InlineData(CollectionScope.InUse, true, false)]
    [InlineData(CollectionScope.InUse, false, true)]
    [InlineData(CollectionScope.Heap, true, true)]
    public void Collections_in_use_are_all_known_only_where_all_stacks_could_be_read(CollectionScope scope, bool hasUnread, bool isComplete)
    {
        ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1).Build();
        Assert.Equal(isComplete, CollectionData.IsComplete(snapshot with { CollectionScan =
            new CollectionScan { Scope = scope, HeapIsPresent = true, HasUnreadStacks = hasUnread } }));
    }

    [Fact]
    public void Cycle_is_a_fault_whoever_writes()
    {
        CollectionFinding finding = new(0x8000, "System.Collections.Generic.SortedSet<System.Int32>",
            [new CollectionFault(CollectionFaultKind.NodeCycle, "node", [])], [1], [1], true) { ThreadsChanging = [1] };
        Assert.Equal(Confidence.Confirmed, Assert.Single(HangAnalysis.Run(new SnapshotBuilder().Thread(1).Build() with { Collections = [finding] }).Verdicts)
            .Confidence);
    }

    private static AnalysisResult Use(CollectionKind kind, params (uint Thread, bool? Writes)[] accesses) =>
        HangAnalysis.Run(new SnapshotBuilder().Thread(1).Thread(2).Thread(3).Build() with
    {
        CollectionUses = [new CollectionUse(0x8000, $"System.Collections.Generic.{kind}<System.Int32>", kind,
            [.. accesses.Select(a => new CollectionAccess(a.Thread, a.Writes == true ? "TryInsert" : "FindValue", a.Writes))])],
    });

    [Theory]
    [InlineData(CollectionKind.Dictionary, true, false)]
    [InlineData(CollectionKind.Dictionary, true, true)]
    [InlineData(CollectionKind.SortedSet, false, true)]
    [InlineData(CollectionKind.Hashtable, true, true)]
    public void Writer_beside_another_thread_is_a_race(CollectionKind kind, bool first, bool second)
    {
        Verdict verdict = Assert.Single(Use(kind, (1, first), (2, second)).Verdicts);
        Assert.Equal(("DUMP3002", Confidence.Likely), (verdict.DetectorId, verdict.Confidence));
        Assert.Equal([1u, 2u], verdict.Threads.Order());
        Assert.DoesNotContain("deadlock", verdict.Title, StringComparison.Ordinal);
    }

    [Fact]
    public void Threads_that_only_read_are_no_race() => Assert.Empty(Use(CollectionKind.Dictionary, (1, false), (2, false), (3, false)).Verdicts);

    [Fact]
    public void One_writer_of_a_hash_table_beside_readers_is_no_race() =>
        Assert.Empty(Use(CollectionKind.Hashtable, (1, true), (2, false), (3, false)).Verdicts);

    [Fact]
    public void One_thread_twice_is_no_race() => Assert.Empty(Use(CollectionKind.Dictionary, (1, true), (1, true)).Verdicts);

    [Fact]
    public void Method_that_is_not_known_makes_no_race()
    {
        Assert.Empty(Use(CollectionKind.Dictionary, (1, true), (2, null)).Verdicts);
        Assert.Empty(Use(CollectionKind.Dictionary, (1, null), (2, false)).Verdicts);
    }

    [Fact]
    public void Race_in_a_broken_collection_is_told_once()
    {
        CollectionFinding finding = new(0x8000, "System.Collections.Generic.SortedSet<System.Int32>",
            [new CollectionFault(CollectionFaultKind.NodeCycle, "node", [])], [1, 2], [1, 2], true);
        CollectionUse use = new(0x8000, "System.Collections.Generic.SortedSet<System.Int32>", CollectionKind.SortedSet,
            [new CollectionAccess(1, "Add", true), new CollectionAccess(2, "Contains", false)]);
        Assert.Equal("DUMP3001", Assert.Single(HangAnalysis.Run(new SnapshotBuilder().Thread(1).Thread(2)
            .Build() with { Collections = [finding], CollectionUses = [use] }).Verdicts).DetectorId);
    }
}
