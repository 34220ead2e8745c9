using Dump.Analysis.Detection;
using Dump.Model.Collections;
using Dump.Model.Facts;
using Dump.Model.Process;

namespace Dump.Analysis.Collections;

/// <summary>Whether a scan of collections saw all that was asked for.</summary>
public static class CollectionData
{
    /// <summary>True when the answer "nothing is broken" can be given: there was a scan, it could read everything, and the file has no damage.</summary>
    public static bool IsComplete(ProcessSnapshot snapshot) =>
        snapshot is { CollectionScan: { Refusal: null } scan, Problems.IsEmpty: true } && !(scan is { Scope: CollectionScope.InUse, HasUnreadStacks: true })
            && !Missing(snapshot, scan).Any();

    /// <summary>The snapshot with what its scan lacks, in words with capture advice.</summary>
    public static ProcessSnapshot StateMissing(ProcessSnapshot snapshot) => snapshot.CollectionScan is { } scan
        ? snapshot with { Missing = [.. snapshot.Missing, .. Missing(snapshot, scan)] }
        : snapshot;

    private static IEnumerable<MissingData> Missing(ProcessSnapshot snapshot, CollectionScan scan)
    {
        foreach (MissingData gap in HeapGaps.Of(
            scan.HeapIsPresent, scan.Unreadable, scan.Walk, MissingKind.HeapOfCollections, MissingKind.CollectionMemory, MissingKind.SegmentsOfCollections))
        {
            yield return gap;
        }

        if (scan is { Scope: CollectionScope.InUse, UnlocatedThreads: [_, ..] threads })
        {
            yield return MissingData.Of(MissingKind.CollectionsInUse, threads.Length);
        }

        if (scan.Scope == CollectionScope.InUse && !snapshot.Available.Stacks)
        {
            yield return MissingData.Of(MissingKind.StacksOfCollections);
        }
    }
}
