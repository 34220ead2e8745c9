using System.Globalization;
using Dump.Model.Collections;
using Dump.Model.Managed;
using Dump.Model.Reported;
using Dump.Model.Text;

namespace Dump.Reports;

/// <summary>How many collections were checked, how many were sound, and what could not be read, in sentences.</summary>
internal static class CollectionsSummary
{
    private const int MostExamples = 5;
    private const double BytesPerMebibyte = 1048576.0;

    /// <summary>One line on the collections, one for each example that could not be read, and those on the walk over the heap.</summary>
    public static IEnumerable<string> Lines(CollectionDocument document, CollectionCounts counts)
    {
        yield return Counted(document.Scope, counts);
        foreach (UnreadableCollection unreadable in document.NotRead.Take(MostExamples))
        {
            yield return $"  not read: 0x{unreadable.Address:x} {unreadable.Type}: {unreadable.Reason}";
        }

        if (document.Heap is { } walk)
        {
            yield return Walked(walk);
            foreach (HeapStop stop in walk.Stops.Take(MostExamples))
            {
                yield return string.Create(CultureInfo.InvariantCulture,
                    $"  segment 0x{stop.SegmentStart:x}: {stop.BytesLeft:N0} bytes from 0x{stop.Address:x} on were not walked: {stop.Reason}");
            }
        }
    }

    private static string Counted(CollectionScope? scope, CollectionCounts counts)
    {
        string where = scope switch
        {
            CollectionScope.Heap => "in the heap",
            CollectionScope.Object => "asked for",
            _ => "that stacks refer to",
        };
        IEnumerable<string> kinds = counts.Kinds.Select(k => string.Create(CultureInfo.InvariantCulture, $"{k.Checked:N0} {k.Kind}"));
        string listed = counts.Checked == 0 ? "" : $" ({string.Join(", ", kinds)})";
        string changing = counts.BeingChanged > 0 ? string.Create(CultureInfo.InvariantCulture, $", {counts.BeingChanged:N0} being changed") : "";
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{CountText.Grouped(counts.Checked, "collection")} {where}{listed}: {counts.Sound:N0} sound, {counts.Broken + counts.LeftOut:N0} "
                + $"broken{changing}, {counts.Unreadable:N0} could not be read");
    }

    private static string Walked(HeapWalkFacts walk)
    {
        string end = walk.Stops.IsEmpty
            ? ", walked completely"
            : $"; {walk.Stops.Length.ToString("N0", CultureInfo.InvariantCulture)} of them could not be walked to the end";
        return string.Create(
            CultureInfo.InvariantCulture,
            $"Heap: {walk.Objects:N0} objects of {walk.Types:N0} types in {walk.Segments:N0} segments, {walk.Bytes / BytesPerMebibyte:N1} MiB{end}");
    }
}
