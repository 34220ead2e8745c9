using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>A mutex that a thread of another process holds: no edge to a thread of this one, and no answer without that process.</summary>
public sealed class ForeignOwnerTests
{
    private static readonly Resource s_mutex = new(ResourceKind.Mutex, 0x50);

    private static AnalysisResult Run(WaitTimeout timeout, bool any = false)
    {
        ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1).Wait(1, s_mutex, timeout, any: any).Build();
        ImmutableArray<Evidence> evidence = [new Evidence(EvidenceSource.DumpStream, "by hand")];
        return HangAnalysis.Run(snapshot with
        {
            Ownerships = [new OwnershipFact(s_mutex, 0, null, 1, Grade.Proven, evidence) { OwnerDescription = "thread 0x1c8 of process 4660 (0x1234)" }],
        });
    }

    [Fact]
    public void Endless_wait_cannot_be_judged_and_the_other_process_is_asked_for()
    {
        AnalysisResult result = Run(WaitTimeout.Infinite);
        Assert.Empty(result.Verdicts);
        MissingData missing = Assert.Single(result.Outcomes.Single(o => o.DetectorId == "DUMP1002").Missing);
        Assert.Contains("process 4660 (0x1234)", missing.What, StringComparison.Ordinal);
        Assert.Contains("procdump -ma", missing.CaptureAdvice, StringComparison.Ordinal);
        Assert.Equal(DetectorOutcomeKind.InsufficientData, result.Outcomes.Single(o => o.DetectorId == "DUMP9001").Kind);
    }

    [Theory]
    [InlineData(WaitTimeout.Finite, false)]
    [InlineData(WaitTimeout.Infinite, true)]
    public void Wait_that_may_end_otherwise_asks_for_nothing(WaitTimeout timeout, bool any) =>
        Assert.Empty(Run(timeout, any).Outcomes.Single(o => o.DetectorId == "DUMP1002").Missing);
}
