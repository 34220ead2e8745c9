using System.Collections.Immutable;
using Dump.Model.Collections;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Reports.Json;

namespace Dump.Reports;

/// <summary>Checked collections as JSON.</summary>
public static class CollectionsJson
{
    /// <summary>Writes them for programs.</summary>
    /// <param name="snapshot">The facts.</param>
    /// <param name="judged">Its findings, judged.</param>
    /// <param name="undecidable">True when nothing was found and data are missing.</param>
    /// <param name="output">Where to write; stays open.</param>
    public static void Write(ProcessSnapshot snapshot, ImmutableArray<JudgedCollection> judged, bool undecidable, Stream output)
    {
        ProcessReport facts = HangReports.Facts(snapshot, allStacks: false);
        CollectionScan? scan = snapshot.CollectionScan;
        JsonReport.Write(
            new CollectionDocument
            {
                Source = facts.Source,
                Process = facts.Process,
                IsUndecidable = undecidable,
                Scope = scan?.Scope,
                Runtime = scan?.RuntimeVersion,
                Counts = scan is null ? null : Counts(scan, judged),
                Heap = scan?.Walk is { } walk ? Heap(walk) : null,
                UnlocatedThreads = scan?.UnlocatedThreads ?? [],
                Collections = [.. judged.Select(Collection)],
                NotRead = scan?.UnreadableExamples ?? [],
                Missing = facts.Missing,
                Problems = facts.Problems,
            },
            output);
    }

    private static CollectionCounts Counts(CollectionScan scan, ImmutableArray<JudgedCollection> judged) => new(
        scan.Met.Values.Sum(),
        scan.Sound,
        judged.Count(j => j.Confidence is not null),
        judged.Count(j => j.Confidence is null),
        scan.FindingsLeftOut,
        scan.Unreadable,
        [.. scan.Met.Select(m => new CollectionKindCount(m.Key, m.Value))]);

    private static ReportedHeap Heap(HeapWalkFacts walk) => new(
        walk.Segments,
        walk.Objects,
        (long)walk.Bytes,
        walk.Types,
        walk.Gaps,
        [.. walk.Stops.Select(s => new ReportedHeapStop(s.SegmentStart, s.Address, (long)s.BytesLeft, s.Reason))]);

    private static ReportedCollection Collection(JudgedCollection judged) => new()
    {
        Address = judged.Finding.Address,
        Type = judged.Finding.Type,
        Kind = judged.Finding.Kind,
        Count = judged.Finding.Count,
        Confidence = judged.Confidence,
        LoopsForEver = judged.Finding.LoopsForEver,
        Consequence = judged.Consequence,
        Faults = [.. judged.Finding.Faults.Select(f => new ReportedFault(f.Kind, f.Text, f.MayBeHalfDone, f.Path))],
        Entries = [.. judged.Finding.Entries.Select(e => new ReportedEntry(e.Index, e.Next, e.HashCode, e.Key, e.Value))],
        ThreadsInside = judged.Finding.ThreadsInside,
        ThreadsReferring = judged.Finding.ThreadsReferring,
        MayHaveOtherUsers = judged.Finding.MayHaveOtherUsers,
    };
}
