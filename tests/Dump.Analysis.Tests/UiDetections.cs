using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>What the tests about user-interface threads share: a thread inside a handler, things it waits for, and the one verdict that comes of it.</summary>
internal static class UiDetections
{
    public const string Hung = "*** procdump -ma -h 66144\n*** Hung window detected: 140aa0";
    public static Resource Section { get; } = SnapshotBuilder.Section(0x5000);
    public static Resource Event { get; } = new(ResourceKind.Event, 0x58);
    public static Resource PendingTask { get; } = new(ResourceKind.ManagedTask, 0x6000);
    public static Resource Sleep { get; } = new(ResourceKind.Time, 0, 2);
    public static Resource Message { get; } = new(ResourceKind.WindowMessage, 0, 2);
    public static ThreadTimes Busy { get; } = new(TimeSpan.FromSeconds(0.1), TimeSpan.FromSeconds(20), null, TimeSpan.FromSeconds(30));
    public static ThreadTimes Quiet { get; } = new(TimeSpan.FromSeconds(0.1), TimeSpan.FromSeconds(3), null, TimeSpan.FromHours(3));

    /// <summary>A window that did not answer.</summary>
    public static UnansweredWindow Unanswered(bool isHung, bool isVisible = true) => new(0x10038, isVisible, isHung, TimeSpan.FromSeconds(1));

    public static SnapshotBuilder Handler(string[] innermost, string? comment = null, ThreadActivityKind activity = ThreadActivityKind.Waiting,
        ThreadTimes? times = null) =>
        new SnapshotBuilder { Comment = comment }.Thread(1, activity, UiThreadStacks.Exports(innermost), times);

    public static SnapshotBuilder LockedOut(string? comment = null, WaitTimeout timeout = WaitTimeout.Infinite, long? milliseconds = null) =>
        Handler(UiThreadStacks.SectionWait, comment).Wait(1, Section, timeout, milliseconds: milliseconds).Own(Section, 2);

    public static Verdict? Only(SnapshotBuilder builder) => Only(builder.Build());

    public static Verdict? Only(ProcessSnapshot snapshot)
    {
        AnalysisResult result = HangAnalysis.Run(snapshot);
        Assert.DoesNotContain(result.Outcomes, o => o.Kind == DetectorOutcomeKind.Failed);
        return result.Verdicts.IsEmpty ? null : Assert.Single(result.Verdicts);
    }

    public static void Is(string id, Confidence confidence, Verdict? verdict) => Assert.Equal((id, confidence), (verdict?.DetectorId, verdict?.Confidence));
}
