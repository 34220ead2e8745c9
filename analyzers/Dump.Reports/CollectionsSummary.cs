using System.Collections.Immutable;
using System.Globalization;
using Dump.Model.Collections;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Text;

namespace Dump.Reports;

/// <summary>How many collections were checked, how many were sound, and what could not be read, in sentences.</summary>
internal static class CollectionsSummary
{
    private const int MostExamples = 5;

    /// <summary>The lines.</summary>
    public static IEnumerable<string> Lines(CollectionScan scan, ImmutableArray<JudgedCollection> judged)
    {
        long met = scan.Met.Values.Sum();
        string where = scan.Scope switch
        {
            CollectionScope.Heap => "in the heap",
            CollectionScope.Object => "asked for",
            _ => "that stacks refer to",
        };
        string kinds = met == 0 ? "" : $" ({string.Join(", ", scan.Met.Select(m => string.Create(CultureInfo.InvariantCulture, $"{m.Value:N0} {m.Key}")))})";
        int changing = judged.Count(j => j.Confidence is null);
        long broken = judged.Length - changing;
        yield return string.Create(
            CultureInfo.InvariantCulture,
            $"{CountText.Grouped(met, "collection")} {where}{kinds}: {scan.Sound:N0} sound, {broken + scan.FindingsLeftOut:N0} broken{(changing > 0 ? $", {changing:N0} being changed" : "")}, {scan.Unreadable:N0} could not be read");
        foreach (UnreadableCollection unreadable in scan.UnreadableExamples.Take(MostExamples))
        {
            yield return $"  not read: 0x{unreadable.Address:x} {unreadable.Type}: {unreadable.Reason}";
        }

        if (scan.Walk is { } walk)
        {
            yield return string.Create(
                CultureInfo.InvariantCulture,
                $"Heap: {walk.Objects:N0} objects of {walk.Types:N0} types in {walk.Segments:N0} segments, {walk.Bytes / 1048576.0:N1} MiB{(walk.Stops.IsEmpty ? ", walked completely" : $"; {walk.Stops.Length:N0} of them could not be walked to the end")}");
            foreach (HeapStop stop in walk.Stops.Take(MostExamples))
            {
                yield return string.Create(CultureInfo.InvariantCulture,
                    $"  segment 0x{stop.SegmentStart:x}: {stop.BytesLeft:N0} bytes from 0x{stop.Address:x} on were not walked: {stop.Reason}");
            }
        }
    }
}
