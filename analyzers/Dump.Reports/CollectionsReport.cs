using System.Collections.Immutable;
using System.Globalization;
using Dump.Model.Collections;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Wording;

namespace Dump.Reports;

/// <summary>Checked collections as text.</summary>
public static class CollectionsReport
{
    private const int MostFaults = 6;
    private const int MostThreads = 12;
    private const int MostShown = 100;

    /// <summary>Writes them for people.</summary>
    /// <param name="snapshot">The facts; with a collection scan, or without one when there is no managed half.</param>
    /// <param name="judged">Its findings, judged.</param>
    /// <param name="output">Where to write.</param>
    /// <param name="style">Emphasis.</param>
    public static void WriteText(ProcessSnapshot snapshot, ImmutableArray<JudgedCollection> judged, TextWriter output, TextStyle style)
    {
        SourceHead.Write(snapshot, output, style);
        output.WriteLine();
        if (snapshot.CollectionScan is not { } scan)
        {
            output.WriteLine(style.Warning("No collection could be looked at."));
            FactsFooter.Write(snapshot, output, style);
            return;
        }

        foreach (JudgedCollection collection in judged.Take(MostShown))
        {
            WriteCollection(snapshot, scan, collection, output, style);
            output.WriteLine();
        }

        long left = scan.FindingsLeftOut + Math.Max(0, judged.Length - MostShown);
        if (left > 0)
        {
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{left:N0} more in which something does not fit are not shown."));
        }

        foreach (string line in CollectionsSummary.Lines(scan, judged))
        {
            output.WriteLine(line);
        }

        FactsFooter.Write(snapshot, output, style);
    }

    private static void WriteCollection(ProcessSnapshot snapshot, CollectionScan scan, JudgedCollection judged, TextWriter output, TextStyle style)
    {
        CollectionFinding finding = judged.Finding;
        string state = judged.Confidence is { } confidence ? $"broken ({confidence})" : "being changed";
        string count = finding.Count is { } number ? string.Create(CultureInfo.InvariantCulture, $", count {number:N0}") : "";
        string heading = $"0x{finding.Address:x} {finding.Type}: {state}{count}";
        output.WriteLine(judged.Confidence is null ? style.Heading(heading) : style.Alarm(heading));
        bool isDoubtful = finding.Faults.All(f => f.MayBeHalfDone);
        foreach (CollectionFault fault in finding.Faults.Take(MostFaults))
        {
            output.WriteLine($"  {fault.Text}{(isDoubtful ? style.Faint(" (a sound one looks like this in the middle of a change)") : "")}");
        }

        if (finding.Faults.Length > MostFaults)
        {
            output.WriteLine($"  and {finding.Faults.Length - MostFaults} more faults");
        }

        foreach (CollectionEntry entry in finding.Entries)
        {
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"    entries[{entry.Index}]  next {entry.Next}  hash 0x{entry.HashCode:x8}  key {entry.Key ?? "?"}{(entry.Value is null ? "" : $"  value {entry.Value}")}"));
        }

        output.WriteLine($"  {Threads(snapshot, finding)}");
        output.WriteLine($"  .NET {scan.RuntimeVersion ?? "of unknown version"}: {judged.Consequence}");
    }

    private static string Threads(ProcessSnapshot snapshot, CollectionFinding finding) =>
        !finding.ThreadsInside.IsEmpty ? $"inside of it: {List(snapshot, finding.ThreadsInside)}"
        : !finding.ThreadsReferring.IsEmpty ? $"{(finding.MayHaveOtherUsers ? "whether a thread is inside of it is unknown" : "no thread is inside of it")}; {List(snapshot, finding.ThreadsReferring)} {(finding.ThreadsReferring.Length == 1 ? "refers" : "refer")} to it"
        : finding.MayHaveOtherUsers ? "no stack that could be read refers to it" : "no stack refers to it";

    private static string List(ProcessSnapshot snapshot, ImmutableArray<uint> threads) =>
        string.Join(", ", threads.Take(MostThreads).Select(new ThreadNames(snapshot).Full))
            + (threads.Length > MostThreads ? $" and {threads.Length - MostThreads} more" : "");
}
