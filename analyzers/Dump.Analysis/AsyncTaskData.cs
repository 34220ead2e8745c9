using Dump.Analysis.Detection;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;

namespace Dump.Analysis;

/// <summary>Whether a search for pending async methods saw the whole heap.</summary>
public static class AsyncTaskData
{
    /// <summary>True when the whole heap was searched and the file has no damage.</summary>
    public static bool IsComplete(ProcessSnapshot snapshot) =>
        snapshot is { AsyncTasks: { } forest, Problems.IsEmpty: true } && !Missing(forest).Any();

    /// <summary>The snapshot with what the search lacks, in words with capture advice.</summary>
    public static ProcessSnapshot StateMissing(ProcessSnapshot snapshot) => snapshot.AsyncTasks is { } forest
        ? snapshot with { Missing = [.. snapshot.Missing, .. Missing(forest)] }
        : snapshot;

    private static IEnumerable<MissingData> Missing(AsyncForest forest) => HeapGaps.Of(
        forest.HeapIsPresent, forest.Unreadable, forest.Walk, MissingKind.HeapOfTasks, MissingKind.TaskMemory, MissingKind.SegmentsOfTasks);
}
