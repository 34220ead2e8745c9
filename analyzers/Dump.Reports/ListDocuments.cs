using System.Collections.Immutable;
using Dump.Model.Collections;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Verdicts;

namespace Dump.Reports;

/// <summary>Makes the documents of lists that no detector has judged: text, markup and JSON are written from them alone.</summary>
public static class ListDocuments
{
    /// <summary>Who waits for whom.</summary>
    /// <param name="snapshot">What was read.</param>
    /// <param name="chains">Its chains.</param>
    /// <param name="tree">The same waits as a tree; none when one chain alone was asked for.</param>
    public static ChainDocument Chains(ProcessSnapshot snapshot, IReadOnlyList<WaitChain> chains, ImmutableArray<WaitTreeNode> tree)
    {
        ProcessReport facts = HangReports.Facts(snapshot, allStacks: false);
        return new ChainDocument
        {
            Source = facts.Source,
            Process = facts.Process,
            Threads = facts.Threads,
            Chains = [.. chains],
            Tree = tree,
            UnknownThreads = [.. facts.Threads.Where(t => t.MayWait).Select(t => t.Id)],
            Missing = facts.Missing,
            Problems = facts.Problems,
        };
    }

    /// <summary>Which locks are held or waited for.</summary>
    /// <param name="snapshot">What was read.</param>
    /// <param name="locks">Its locks.</param>
    public static LockDocument Locks(ProcessSnapshot snapshot, IReadOnlyList<HeldLock> locks)
    {
        ProcessReport facts = HangReports.Facts(snapshot, allStacks: false);
        return new LockDocument
        {
            Source = facts.Source,
            Process = facts.Process,
            Threads = facts.Threads,
            Locks = [.. locks],
            UnknownThreads = [.. facts.Threads.Where(t => t.MayWait).Select(t => t.Id)],
            Missing = facts.Missing,
            Problems = facts.Problems,
        };
    }

    /// <summary>Pending async methods.</summary>
    /// <param name="snapshot">The facts; with a forest, or without one when there is no managed half.</param>
    /// <param name="undecidable">True when the heap, or part of it, could not be searched.</param>
    public static TaskDocument Tasks(ProcessSnapshot snapshot, bool undecidable)
    {
        ProcessReport facts = HangReports.Facts(snapshot, allStacks: false);
        AsyncForest? forest = snapshot.AsyncTasks;
        return new TaskDocument
        {
            Source = facts.Source,
            Process = facts.Process,
            Threads = facts.Threads,
            IsUndecidable = undecidable,
            Runtime = forest?.RuntimeVersion,
            PendingMethods = forest?.PendingMethods,
            OtherPendingTasks = forest?.OtherPendingTasks,
            Chains = forest?.Chains ?? [],
            LossesAreUnknown = forest?.LossesAreUnknown ?? true,
            ChainsLeftOut = forest?.ChainsLeftOut ?? 0,
            Faults = forest?.Faults ?? [],
            Heap = forest?.Walk,
            Missing = facts.Missing,
            Problems = facts.Problems,
        };
    }

    /// <summary>Requests in flight.</summary>
    /// <param name="snapshot">The facts; with requests, or without when there is no managed half.</param>
    /// <param name="groups">Its requests, those at the same place together.</param>
    /// <param name="undecidable">True when the heap, part of it or a library's objects could not be read.</param>
    public static RequestDocument Requests(ProcessSnapshot snapshot, ImmutableArray<RequestGroup> groups, bool undecidable)
    {
        ProcessReport facts = HangReports.Facts(snapshot, allStacks: false);
        RequestsInFlight? requests = snapshot.Requests;
        return new RequestDocument
        {
            Source = facts.Source,
            Process = facts.Process,
            Threads = facts.Threads,
            IsUndecidable = undecidable,
            Found = requests is null ? null : requests.Requests.Length + requests.LeftOut,
            LeftOut = requests?.LeftOut ?? 0,
            Libraries = requests?.Libraries ?? [],
            Groups = groups,
            Heap = requests?.Walk,
            Missing = facts.Missing,
            Problems = facts.Problems,
        };
    }

    /// <summary>All stacks as one tree.</summary>
    public static StackTreeDocument Tree(ProcessSnapshot snapshot)
    {
        ProcessReport facts = HangReports.Facts(snapshot, allStacks: false);
        return new StackTreeDocument
        {
            Source = facts.Source,
            Process = facts.Process,
            Threads = facts.Threads,
            Nodes = StackTree.Build(snapshot.Threads),
            ThreadsWithoutFrames = [.. snapshot.Threads.Where(t => t.Stack.Frames.IsEmpty).Select(t => t.Id)],
            UnknownThreads = [.. facts.Threads.Where(t => t.MayWait).Select(t => t.Id)],
            Missing = facts.Missing,
            Problems = facts.Problems,
        };
    }

    /// <summary>Checked collections.</summary>
    /// <param name="snapshot">The facts; with a collection scan, or without one when there is no managed half.</param>
    /// <param name="judged">Its findings, judged.</param>
    /// <param name="undecidable">True when nothing was found and data are missing.</param>
    public static CollectionDocument Collections(ProcessSnapshot snapshot, ImmutableArray<JudgedCollection> judged, bool undecidable)
    {
        ProcessReport facts = HangReports.Facts(snapshot, allStacks: false);
        CollectionScan? scan = snapshot.CollectionScan;
        return new CollectionDocument
        {
            Source = facts.Source,
            Process = facts.Process,
            Threads = facts.Threads,
            IsUndecidable = undecidable,
            Scope = scan?.Scope,
            Runtime = scan?.RuntimeVersion,
            Counts = scan is null ? null : Counts(scan, judged),
            Heap = scan?.Walk,
            UnlocatedThreads = scan?.UnlocatedThreads ?? [],
            Collections = [.. judged.Select(Collection)],
            NotRead = scan?.UnreadableExamples ?? [],
            Missing = facts.Missing,
            Problems = facts.Problems,
        };
    }

    private static CollectionCounts Counts(CollectionScan scan, ImmutableArray<JudgedCollection> judged) => new(
        scan.Met.Values.Sum(),
        scan.Sound,
        judged.Count(j => j.Confidence is not null),
        judged.Count(j => j.Confidence is null),
        scan.FindingsLeftOut,
        scan.Unreadable,
        [.. scan.Met.Select(m => new CollectionKindCount(m.Key, m.Value))]);

    private static ReportedCollection Collection(JudgedCollection judged) => new()
    {
        Address = judged.Finding.Address,
        Type = judged.Finding.Type,
        IsKnownByNode = judged.Finding.IsKnownByNode,
        Kind = judged.Finding.Kind,
        Count = judged.Finding.Count,
        Confidence = judged.Confidence,
        LoopsForEver = judged.Finding.LoopsForEver,
        Consequence = judged.Consequence,
        Faults = judged.Finding.Faults,
        Entries = judged.Finding.Entries,
        ThreadsInside = judged.Finding.ThreadsInside,
        ThreadsReferring = judged.Finding.ThreadsReferring,
        MayHaveOtherUsers = judged.Finding.MayHaveOtherUsers,
    };
}
