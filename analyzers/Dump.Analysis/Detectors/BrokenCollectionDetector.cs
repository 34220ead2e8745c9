using System.Collections.Immutable;
using Dump.Analysis.Collections;
using Dump.Analysis.Detection;
using Dump.Model.Collections;
using Dump.Model.Facts;
using Dump.Model.Text;
using Dump.Model.Verdicts;

namespace Dump.Analysis.Detectors;

/// <summary>DUMP3001: a managed collection whose chains lead back into themselves, or are broken otherwise.</summary>
public sealed class BrokenCollectionDetector : IDetector
{
    /// <inheritdoc/>
    public DetectorDescriptor Descriptor { get; } = new(
        "DUMP3001",
        "Broken collection",
        $"A {CollectionKinds.Names(" or ")} was corrupted, as unsynchronised writes do; threads inside of it may loop for ever.",
        "managed stacks, the memory of the collections",
        DetectorFamily.Collections)
    {
        Subject = VerdictSubject.AnyThread,
        Activity = SubjectActivity.InCollection,
    };

    /// <inheritdoc/>
    public DetectorOutcome Detect(AnalysisContext context) => DetectorOutcomes.From(
        Descriptor, CollectionJudgement.Judge([.. context.Snapshot.Collections.OrderBy(c => c.Address)])
            .Where(c => c.Confidence is not null && !c.Finding.ThreadsReferring.IsEmpty).Select(c => Judge(context, c)),
            NecessaryData.Stacks(context.Snapshot));

    private static string Name(CollectionFinding finding) => finding.IsKnownByNode
        ? $"{finding.Type} (its address is unknown, node 0x{finding.Address:x} belongs to it)"
        : $"{finding.Type} 0x{finding.Address:x}";

    private Verdict Judge(AnalysisContext context, JudgedCollection judged)
    {
        CollectionFinding finding = judged.Finding;
        bool isCycle = finding.Faults.Any(f => f.IsCycle);
        ImmutableArray<Evidence> evidence = [.. finding.Faults.Take(4).Select(f => new Evidence(EvidenceSource.Memory, f.Text, finding.Address))];
        string threads = finding.ThreadsInside.Length == 1
            ? context.Names.ThreadCapitalised(finding.ThreadsInside[0])
            : CountText.Of(finding.ThreadsInside.Length, "thread");
        ImmutableArray<uint> involved = finding.ThreadsInside.IsEmpty ? finding.ThreadsReferring : finding.ThreadsInside;
        string nobody = finding.MayHaveOtherUsers ? "Whether a thread is inside of it is unknown" : "No thread is inside of it at this moment";
        string inside = finding.ThreadsInside.IsEmpty
            ? $"{nobody}; {string.Join(", ", involved.Select(context.Names.Thread))} {(involved.Length == 1 ? "refers" : "refer")} to it."
            : $"{threads} {(finding.ThreadsInside.Length == 1 ? "is" : "are")} inside of it.";
        return new Verdict
        {
            DetectorId = Descriptor.Id,
            Title = isCycle ? "Cycle in a collection" : Descriptor.Title,
            Confidence = judged.Confidence!.Value,
            Claims =
            [
                new Claim($"{Name(finding)} is broken: {finding.Faults[0].Text}. {inside}",
                    judged.Confidence == Confidence.Suspected ? Confidence.Suspected : Confidence.Confirmed, evidence),
                new Claim(judged.Consequence,
                    finding.LoopsForEver && isCycle ? Confidence.Confirmed
                        : judged.Confidence == Confidence.Suspected ? Confidence.Suspected
                        : Confidence.Likely, evidence),
            ],
            Threads = involved,
            Stacks = [.. involved.Take(3)
                .Select(t =>
                    VerdictParts.Excerpt(context, t, finding.ThreadsInside.IsEmpty ? "uses the broken collection" : "is inside of the broken collection"))],
            Victims = finding.ThreadsInside.IsEmpty ? [] : VerdictParts.Victims(context, finding.ThreadsInside),
            Remedies =
            [
                "Something wrote to this collection while another thread used it: guard every access with one lock, or use ConcurrentDictionary.",
                "Restart the process: the object stays broken.",
            ],
        };
    }
}
