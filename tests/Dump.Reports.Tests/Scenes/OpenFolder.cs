using Dump.Model.Facts;
using Dump.Model.Merging;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Verdicts;

namespace Dump.Reports.Tests.Scenes;

/// <summary>An overview of two dumps with a suspicion each; of one of them some detectors gave no answer.</summary>
internal static class OpenFolder
{
    public static TriageOverview Make()
    {
        ReportedVerdict suspicion = new() { DetectorId = "DUMP1005", Title = "Head blocker", Confidence = Confidence.Suspected };
        HangReport whole = new() { Source = new ReportedSource("whole.dmp", "minidump", 5, null, null), Verdicts = [suspicion] };
        HangReport open = whole with { Detectors = [new DetectorOutcome("DUMP1007", "Thread-pool starvation", DetectorOutcomeKind.InsufficientData,
            [new MissingData("the heap", "no queues", "capture all memory")], null)] };
        TriageRecord[] records = [FolderScene.Record(1, "whole.dmp", whole), FolderScene.Record(2, "open.dmp", open)];
        return new TriageOverview { Records = [.. records], Hangs = [FolderScene.Bucket(records, "a suspicion", [], [])] };
    }
}
