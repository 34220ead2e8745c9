using System.Collections.Immutable;
using System.Globalization;
using Dump.Model.Collections;
using Dump.Model.Reported;
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
                : style.Warning("No collection could be looked at."));
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
