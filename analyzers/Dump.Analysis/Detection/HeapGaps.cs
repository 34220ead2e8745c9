using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Text;

namespace Dump.Analysis.Detection;

/// <summary>What a search of the managed heap could not see, in words with capture advice.</summary>
internal static class HeapGaps
{
    /// <summary>The gaps of one search.</summary>
    /// <param name="snapshot">The facts.</param>
    /// <param name="isPresent">False when the heap, or parts of it, are not in the dump.</param>
    /// <param name="absence">What follows where the heap is not there.</param>
    /// <param name="unreadable">How many of the objects looked for could not be read, with the word for one.</param>
    /// <param name="walk">The walk over the heap, or null when there was none.</param>
    /// <param name="consequence">What follows for the objects that were not seen.</param>
    public static IEnumerable<MissingData> Of(
        ProcessSnapshot snapshot, bool isPresent, string absence, (long Count, string Noun) unreadable, HeapWalkFacts? walk, string consequence)
    {
        string advice = NecessaryData.FullDumpAdvice(snapshot);
        if (!isPresent)
        {
            yield return new("the managed heap, or parts of it (the dump was written without its memory)", absence, advice);
        }

        if (unreadable.Count > 0)
        {
            yield return new($"the memory of {CountText.Of(unreadable.Count, unreadable.Noun)}", consequence, advice);
        }

        if (walk is { Stops.IsEmpty: false })
        {
            yield return new(
                $"{walk.Stops.Length} of {walk.Segments} heap segments from some place on (memory that is not in the dump, or objects that are damaged)",
                consequence, advice);
        }
    }
}
