using Dump.Analysis.Detection;
using Dump.Model.Collections;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Text;

namespace Dump.Analysis.Collections;

/// <summary>Whether a scan of collections saw all that was asked for.</summary>
public static class CollectionData
{
    private const string Consequence = "a broken collection among them can be neither shown nor excluded";

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
            snapshot, scan.HeapIsPresent, "collections can be neither found nor checked there", (scan.Unreadable, "collection"), scan.Walk, Consequence))
        {
            yield return gap;
        }

        if (scan is { Scope: CollectionScope.InUse, UnlocatedThreads: [_, ..] threads })
        {
            yield return new(
                $"which collection {CountText.Of(threads.Length, "thread")} {(threads.Length == 1 ? "is" : "are")} inside of (their frames keep no reference "
                    + "to it)", Consequence, "dumpanalyze dictloop FILE --heap");
        }

        if (scan.Scope == CollectionScope.InUse && !snapshot.Available.Stacks)
        {
            yield return new("thread stacks that can be walked", "which collections threads use is unknown",
                NecessaryData.FullDumpAdvice(snapshot));
        }
    }
}
