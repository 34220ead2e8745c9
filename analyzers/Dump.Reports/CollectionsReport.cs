using System.Collections.Immutable;
using System.Globalization;
using Dump.Model.Collections;
using Dump.Model.Managed;
using Dump.Model.Reported;
using Dump.Model.Text;
using Dump.Model.Wording;

namespace Dump.Reports;

/// <summary>Checked collections as text.</summary>
public static class CollectionsReport
{
    private const int MostFaults = 6;
    private const int MostThreads = 12;
    private const int MostShown = 100;

    /// <summary>Writes them for people.</summary>
    public static void Write(CollectionDocument document, TextWriter output, TextStyle style)
    {
        SourceHead.Write(document, output, style);
        if (document.Counts is not { } counts)
        {
            output.WriteLine(document.Missing.IsEmpty
                ? "No .NET runtime was found in this process: there are no collections of .NET to look at."
                : style.Warning("No collection could be checked."));
            FactsFooter.Write(document, output, style);
            return;
        }

        foreach (ReportedCollection collection in document.Collections.Take(MostShown))
        {
            WriteCollection(document, collection, output, style);
            output.WriteLine();
        }

        long left = counts.LeftOut + Math.Max(0, document.Collections.Length - MostShown);
        if (left > 0)
        {
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{left:N0} more in which something does not fit are not shown."));
        }

        foreach (string line in CollectionsSummary.Lines(document, counts))
        {
            output.WriteLine(line);
        }

        FactsFooter.Write(document, output, style);
    }

    private static void WriteCollection(CollectionDocument document, ReportedCollection found, TextWriter output, TextStyle style)
    {
        string state = found.Confidence is { } confidence ? $"broken ({confidence})" : "being changed";
        string count = found.Count is { } number ? string.Create(CultureInfo.InvariantCulture, $", count {number:N0}") : "";
        string heading = $"0x{found.Address:x} {(found.IsKnownByNode ? "node of a " : "")}{found.Type}: {state}{count}";
        output.WriteLine(found.Confidence is null ? style.Heading(heading) : style.Alarm(heading));
        string doubt = found.Faults.All(f => f.MayBeHalfDone) ? style.Faint(" (a sound one looks like this in the middle of a change)") : "";
        foreach (CollectionFault fault in found.Faults.Take(MostFaults))
        {
            output.WriteLine($"  {fault.Text}{doubt}");
        }

        if (found.Faults.Length > MostFaults)
        {
            output.WriteLine($"  and {found.Faults.Length - MostFaults} more faults");
        }

        foreach (CollectionEntry entry in found.Entries)
        {
            string value = entry.Value is null ? "" : $"  value {entry.Value}";
            output.WriteLine(string.Create(CultureInfo.InvariantCulture,
                $"    entries[{entry.Index}]  next {entry.Next}  hash 0x{entry.HashCode:x8}  key {entry.Key ?? "?"}{value}"));
        }

        output.WriteLine($"  {Threads(document, found)}");
        output.WriteLine($"  .NET {document.Runtime ?? "of unknown version"}: {found.Consequence}");
    }

    private static string Threads(CollectionDocument document, ReportedCollection found)
    {
        if (!found.ThreadsInside.IsEmpty)
        {
            return $"inside of it: {List(document, found.ThreadsInside)}";
        }

        if (found.ThreadsReferring.IsEmpty)
        {
            return found.MayHaveOtherUsers ? "no stack that could be read refers to it" : "no stack refers to it";
        }

        string inside = found.MayHaveOtherUsers ? "whether a thread is inside of it is unknown" : "no thread is inside of it";
        return $"{inside}; {List(document, found.ThreadsReferring)} {(found.ThreadsReferring.Length == 1 ? "refers" : "refer")} to it";
    }

    private static string List(CollectionDocument document, ImmutableArray<uint> threads) =>
        string.Join(", ", threads.Take(MostThreads).Select(new ThreadNames(document).Full))
            + (threads.Length > MostThreads ? $" and {threads.Length - MostThreads} more" : "");
}

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
