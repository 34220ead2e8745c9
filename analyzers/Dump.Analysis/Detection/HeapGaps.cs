using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;

namespace Dump.Analysis.Detection;

/// <summary>What a search of the managed heap could not see, in words with capture advice.</summary>
internal static class HeapGaps
{
    /// <summary>The gaps of one search.</summary>
    /// <param name="isPresent">False when the heap, or parts of it, are not in the dump.</param>
    /// <param name="unreadable">How many of the objects looked for could not be read.</param>
    /// <param name="walk">The walk over the heap, or null when there was none.</param>
    /// <param name="heap">What is missing where the heap is not there.</param>
    /// <param name="memory">What is missing of objects that could not be read.</param>
    /// <param name="segments">What is missing of segments whose walk broke off.</param>
    public static IEnumerable<MissingData> Of(
        bool isPresent, long unreadable, HeapWalkFacts? walk, MissingKind heap, MissingKind memory, MissingKind segments)
    {
        if (!isPresent)
        {
            yield return MissingData.Of(heap);
        }

        if (unreadable > 0)
        {
            yield return MissingData.Of(memory, (int)Math.Min(unreadable, int.MaxValue));
        }

        if (walk is { Stops.IsEmpty: false })
        {
            yield return MissingData.Of(segments, detail: $"{walk.Stops.Length} of {walk.Segments}");
        }
    }
}
