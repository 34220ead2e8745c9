using System.Collections.Immutable;
using Dump.Model.Collections;
using Dump.Model.Facts;

namespace Dump.Analysis.Collections;

/// <summary>
/// What a finding in a collection means. A sound collection that one thread is changing may look broken for a moment (fewer reachable entries than counted, two
/// parents of a node); such a fault counts only when no thread is inside of a method that changes it, and is only suspected when a stack still refers to the
/// collection, because that method may be a part of its caller, or when the objects on some stack are unknown.
/// </summary>
public static class CollectionJudgement
{
    /// <summary>Judges all findings of a scan: broken ones first, the surest first, then by address.</summary>
    public static ImmutableArray<JudgedCollection> Judge(IEnumerable<CollectionFinding> findings) =>
        [.. findings.Select(f => new JudgedCollection(f, Confidence(f), Consequence(f))).OrderByDescending(j => j.Confidence is { } c ? (int)c : -1)
            .ThenBy(j => j.Finding.Address)];

    /// <summary>How sure it is that the collection is broken; null when a thread is changing it, which explains everything that was found.</summary>
    public static Confidence? Confidence(CollectionFinding finding)
    {
        if (finding.Faults.Any(f => !f.MayBeHalfDone))
        {
            bool isCycle = finding.Faults.Any(f => f.IsCycle && !f.MayBeHalfDone);
            return finding.ThreadsInside.IsEmpty || !isCycle || !finding.LoopsForEver ? Model.Facts.Confidence.Likely : Model.Facts.Confidence.Confirmed;
        }

        return !finding.ThreadsChanging.IsEmpty ? null
            : finding.MayHaveOtherUsers ? Model.Facts.Confidence.Suspected
            : HasWriterFlag(finding) && !finding.ThreadsInside.IsEmpty ? Model.Facts.Confidence.Likely
            : finding.ThreadsReferring.IsEmpty ? Model.Facts.Confidence.Likely
            : Model.Facts.Confidence.Suspected;
    }

    /// <summary>What this runtime does with it, as a sentence.</summary>
    public static string Consequence(CollectionFinding finding)
    {
        if (Confidence(finding) is null)
        {
            return "A thread is changing it at this moment, and a sound collection looks like this in the middle of a change.";
        }

        if (finding.MayHaveOtherUsers && finding.Faults.All(f => f.MayBeHalfDone))
        {
            return "A thread whose stack could not be read in full may be changing it at this moment, and a sound collection looks like this in the middle of "
                + "a change.";
        }

        bool isCycle = finding.Faults.Any(f => f.IsCycle);
        return (isCycle, finding.LoopsForEver) switch
        {
            (true, true) => "This runtime follows such a cycle for ever: a thread that enters it never comes out and burns a processor.",
            (true, false) =>
                "This runtime notices such a cycle and throws InvalidOperationException after as many steps as there are entries; code that catches it and "
                    + "tries again never ends.",
            _ when HasWriterFlag(finding) =>
                "Threads that read it spin until its writer is done, and no thread is inside of a method that writes: they spin for ever.",
            _ when CollectionKinds.Of(finding.Kind).Shape == CollectionShape.Slots => "Look-ups may miss entries or take long, but every search ends.",
            _ when CollectionKinds.Of(finding.Kind).Shape == CollectionShape.Links =>
                "Look-ups may miss elements or fail; the links that were followed come to an end.",
            _ => "Look-ups may miss entries, throw or loop.",
        };
    }

    private static bool HasWriterFlag(CollectionFinding finding) => finding.Faults.Any(f => f.Kind == CollectionFaultKind.WriterFlag);
}
