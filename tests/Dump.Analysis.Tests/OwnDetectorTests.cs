using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using static Dump.Analysis.Tests.SnapshotBuilder;

namespace Dump.Analysis.Tests;

/// <summary>Detectors that a caller of the library hands in.</summary>
public sealed class OwnDetectorTests
{
    [Fact]
    public void Finds_what_it_finds_and_the_others_do_not_repeat_it()
    {
        ProcessSnapshot snapshot = Cycle();
        Assert.Equal(["DUMP1002"], Analysis.HangAnalysis.Run(snapshot).Verdicts.Select(v => v.DetectorId));
        AnalysisResult result = Analysis.HangAnalysis.Run(snapshot, own: [new Own(c => [Of(1, 2)])]);
        Assert.Equal(["SHOP0001"], result.Verdicts.Select(v => v.DetectorId));
        Assert.Contains(result.Outcomes, o => o is { DetectorId: "SHOP0001", Kind: DetectorOutcomeKind.Detected });
    }

    [Fact]
    public void One_that_finds_nothing_changes_nothing_and_its_lack_leaves_the_answer_open()
    {
        ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1).Build();
        Assert.False(Analysis.HangAnalysis.Run(snapshot, own: [new Own(c => [])]).IsUndecidable);
        Assert.True(Analysis.HangAnalysis.Run(snapshot, own: [new Own(c => []) { Missing = [MissingData.Of(MissingKind.HandleData)] }]).IsUndecidable);
    }

    [Fact]
    public void One_that_throws_has_failed_and_the_others_have_their_say()
    {
        AnalysisResult result = Analysis.HangAnalysis.Run(Cycle(), own: [new Own(c => throw new InvalidOperationException("no"))]);
        Assert.Equal(["DUMP1002"], result.Verdicts.Select(v => v.DetectorId));
        Assert.Contains(result.Outcomes, o => o is { DetectorId: "SHOP0001", Kind: DetectorOutcomeKind.Failed });
    }

    [Fact]
    public void It_can_be_asked_for_alone() =>
        Assert.Equal(["SHOP0001"], Analysis.HangAnalysis.Run(Cycle(), only: ["SHOP0001"], own: [new Own(c => [Of(7)])]).Verdicts.Select(v => v.DetectorId));

    private static ProcessSnapshot Cycle() =>
        new SnapshotBuilder().Thread(1).Thread(2).Wait(1, Section(0xa0)).Own(Section(0xa0), 2).Wait(2, Section(0xb0)).Own(Section(0xb0), 1).Build();

    private static Verdict Of(params uint[] threads) => new()
    {
        DetectorId = "SHOP0001",
        Title = "Own",
        Confidence = Confidence.Confirmed,
        Claims = [new Claim("It is so.", Confidence.Confirmed, [new Evidence(EvidenceSource.Rule, "test")])],
        Threads = [.. threads],
    };

    private sealed class Own(Func<AnalysisContext, Verdict[]> find) : IDetector
    {
        public ImmutableArray<MissingData> Missing { get; init; } = [];

        public DetectorDescriptor Descriptor { get; } = new("SHOP0001", "Own", "A rule of the caller's own.", "nothing", DetectorFamily.Lock);

        public DetectorOutcome Detect(AnalysisContext context) => DetectorOutcomes.From(Descriptor, find(context), Missing);
    }
}
