using Dump.Model.Facts;
using Dump.Model.Merging;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Reports.Tests.Scenes;

/// <summary>Reports and overviews in which every text is the same, whatever it is.</summary>
internal static class HostileFolder
{
    /// <summary>A report with all of its parts.</summary>
    public static HangReport Report(string text)
    {
        MissingData missing = new(text, text, text);
        Evidence[] evidence = [new(EvidenceSource.Memory, text, 0x1000, 0x1A4)];
        ReportedFrame[] frames = [new(0, text, text, 1, 2, FrameTrust.Scan) { Tag = text, Source = new SourceLocation(text, 1) { Link = text } },
            new(4, text, null, null, 2, FrameTrust.UnwindInfo) { EnteredAs = text }, new(5, null, null, null, null, FrameTrust.Scan)];
        ReportedStack stack = new(0x1A4, text, [.. frames]);
        return new HangReport
        {
            Source = new ReportedSource(text, text, 5, new DateTime(2024, 2, 29, 0, 0, 0, DateTimeKind.Utc), text) { Earlier = new EarlierSource(text, null) },
            Process = new ReportedProcess { Id = 1, Name = text, Machine = text, System = text },
            Verdicts =
            [
                new ReportedVerdict
                {
                    DetectorId = text,
                    Title = text,
                    Confidence = Confidence.Likely,
                    Claims = [new Claim(text, Confidence.Likely, [.. evidence])],
                    Threads = [0x1A4],
                    Chain =
                    [
                        new ChainLink(0x1A4, new Resource(ResourceKind.Mutex, 4), text, 0x1A8, true, Grade.Derived, WaitTimeout.Finite, [.. evidence]),
                        new ChainLink(0x1A8, new Resource(ResourceKind.Mutex, 8), text, 0, null, Grade.Derived, WaitTimeout.Finite,
                            [.. evidence]) { HolderDescription = text },
                    ],
                    Stacks = [stack],
                    Culprit = new Culprit(text, text, 0x1A4) { Version = text, Vendor = text, Message = text },
                    Victims = [new VictimGroup([1, 2], text)],
                    Remedies = [text],
                    Undecided = [missing],
                },
            ],
            Detectors = [new DetectorOutcome(text, text, DetectorOutcomeKind.Failed, [missing], text)],
            Missing = [missing],
            Problems = [new ReaderProblem(text, text)],
            Only = [text],
            Notes = [text],
            Threads = [new ReportedThread(0x1A4, 0, text) { Frames = [.. frames] }],
            Modules = [new ReportedModule(text, text, text, false)],
            Focus = new ReportedFocus(0x1A4, text, [.. frames]),
        };
    }

    /// <summary>An overview with all of its parts.</summary>
    public static TriageOverview Overview(string text)
    {
        TriageRecord hang = FolderScene.Record(1, text, Report(text), text);
        TriageRecord other = FolderScene.Record(2, text, Report(text) with { Verdicts = [], IsUndecidable = true });
        TriageRecord failed = FolderScene.Failed(3, text, TriageOutcome.Crashed, text) with { Tool = text };
        KnownIssue known = new(text, text, text);
        return new TriageOverview
        {
            Records = [hang, other, failed],
            Hangs = [Named(FolderScene.Bucket([hang], text, [known], [text]))],
            Others = [Named(FolderScene.Bucket([other], text, [], [text]))],
            Undecided = [new UndecidedGroup(new MissingData(text, text, text), [other])],
            Failed = [failed],
            PassedOver = [.. Enum.GetValues<TriageGapKind>().Select(k => new TriageGap(k, text, text))],
            Modules = [new ModuleUse(text, text, false, text, [(text, 1)], 1)],
        };

        TriageBucket Named(TriageBucket bucket) => bucket with
        {
            Title = text,
            Signature = bucket.Signature with { ClassHash = text, InstanceHash = text },
            Machines = [(text, 1)],
            Instances = [(text, 1), (text + "2", 1)],
            Builds = [(text, 1), (text + "2", 1)],
            IsPerhapsSeveral = true,
        };
    }
}
