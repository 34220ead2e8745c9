using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Model.Collections;
using Dump.Model.Facts;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Wording;

namespace Dump.Analysis.Detectors;

/// <summary>DUMP3002: several threads inside of one collection that is not made for it, at least one of them changing it.</summary>
public sealed class ConcurrentUseDetector : IDetector
{
    /// <inheritdoc/>
    public DetectorDescriptor Descriptor { get; } = new(
        "DUMP3002",
        "Several threads inside one collection",
        $"Threads are inside of one {CollectionKinds.Names(" or ")} at the same time, and at least one of them changes it.",
        "managed stacks, references from their frames",
        DetectorFamily.Collections)
    {
        Activity = SubjectActivity.InCollection,
    };

    /// <inheritdoc/>
    public DetectorOutcome Detect(AnalysisContext context) => DetectorOutcomes.From(
        Descriptor,
        context.Snapshot.CollectionUses.Where(IsRace).OrderBy(u => u.Address).Select(u => Judge(context, u)),
        NecessaryData.Stacks(context.Snapshot));

    /// <summary>
    /// One writer and another thread; for a <c>Hashtable</c>, which stands one writer beside readers, two writers. The same thread twice is one thread.
    /// </summary>
    private static bool IsRace(CollectionUse use)
    {
        int writers = Threads(use, a => a.Writes == true);
        return writers >= CollectionKinds.Of(use.Kind).HarmfulWriters && Threads(use, a => a.Writes is not null) >= 2;
    }

    private static int Threads(CollectionUse use, Func<CollectionAccess, bool> which) => use.Accesses.Where(which).Select(a => a.ThreadId).Distinct().Count();

    private Verdict Judge(AnalysisContext context, CollectionUse use)
    {
        ImmutableArray<CollectionAccess> accesses = [.. use.Accesses.Where(a => a.Writes is not null).OrderByDescending(a => a.Writes).ThenBy(a => a.ThreadId)];
        ImmutableArray<uint> threads = [.. accesses.Select(a => a.ThreadId).Distinct()];
        ImmutableArray<Evidence> evidence =
            [.. accesses.Take(4).Select(a => new Evidence(EvidenceSource.Stack, ConcurrentUseMessages.Frame(context.Names, use, a), use.Address))];
        return new Verdict
        {
            DetectorId = Descriptor.Id,
            Title = Descriptor.Title,

            // That the frames' reference is the collection which the method works on rests on a rule, not on a record of the runtime.
            Confidence = Confidence.Likely,
            Claims =
            [
                new Claim(ConcurrentUseMessages.WhoIsInside(context.Names, use, accesses), Confidence.Likely, evidence),
                new Claim(ConcurrentUseMessages.Consequence(use), Confidence.Likely, evidence),
            ],
            Threads = threads,
            Stacks = [.. accesses.DistinctBy(a => a.ThreadId).Take(3)
                .Select(a => VerdictParts.Excerpt(context, a.ThreadId, a.Writes == true ? "changes the collection" : "reads the collection"))],
            Remedies = ConcurrentUseMessages.Remedies,
        };
    }
}

/// <summary>The sentences of DUMP3002.</summary>
internal static class ConcurrentUseMessages
{
    private const int MostNamed = 6;

    /// <summary>What to do.</summary>
    public static ImmutableArray<string> Remedies { get; } =
    [
        "Guard every access, reads too, with one lock, or use ConcurrentDictionary.",
        "Look whether the collection is damaged already: dumpanalyze dictloop FILE.",
    ];

    /// <summary>A thread's part as evidence.</summary>
    public static string Frame(Naming names, CollectionUse use, CollectionAccess access) =>
        $"{names.Thread(access.ThreadId)} has {access.Method} on its stack, whose frame refers to this {use.Kind} and to no other";

    /// <summary>Which threads are inside, and in what.</summary>
    public static string WhoIsInside(Naming names, CollectionUse use, ImmutableArray<CollectionAccess> accesses)
    {
        IEnumerable<string> parts = accesses.Take(MostNamed)
            .Select(a => $"{names.Thread(a.ThreadId)} {(a.Writes == true ? "changes" : "reads")} it in {a.Method}");
        string more = accesses.Length > MostNamed ? $", and {accesses.Length - MostNamed} more" : "";
        return $"{CountText.Of(accesses.Select(a => a.ThreadId).Distinct().Count(), "thread")} are inside of {use.Type} 0x{use.Address:x} at the same time: "
            + $"{string.Join(", ", parts)}{more}.";
    }

    /// <summary>What comes of it.</summary>
    public static string Consequence(CollectionUse use) => CollectionKinds.Of(use.Kind).Shape switch
    {
        CollectionShape.Slots => $"A {use.Kind} stands one writer beside readers, but not two writers: entries get lost.",
        CollectionShape.Links =>
            $"A {use.Kind} is not made for that: its links can come to lead back into themselves, and every version of .NET then follows them for ever.",
        _ => $"A {use.Kind} is not made for that: its chains can come to lead back into themselves, which makes later calls loop or throw "
            + "InvalidOperationException.",
    };
}
