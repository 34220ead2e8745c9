using System.Collections.Immutable;
using Dump.Analysis.Graph;
using Dump.Analysis.Knowledge;
using Dump.Model;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Detection;

/// <summary>Parts that verdicts of several detectors share: chain links, stack excerpts, victims.</summary>
internal static class VerdictParts
{
    private const int InnermostFrames = 12;

    /// <summary>A grade as the confidence of a claim that rests on it.</summary>
    public static Confidence Confidence(Grade grade) => (Confidence)(int)grade;

    /// <summary>The title of a cycle's verdict: a suspected one is not called a deadlock.</summary>
    public static string CycleTitle(WaitCycle cycle, string title) =>
        cycle.Grade == Grade.Suspected ? "Threads that may wait for each other" : title;

    /// <summary>A wait edge as a link of a chain.</summary>
    public static ChainLink Link(AnalysisContext context, WaitEdge edge) => new(
        edge.Waiter,
        edge.Resource,
        context.Names.Resource(edge.Resource),
        edge.Holder,
        edge.Ownership.OwnerIsAlive,
        edge.Grade,
        edge.Wait.Timeout,
        [.. edge.Wait.Evidence.Concat(edge.Ownership.Evidence).Distinct()])
    {
        HolderDescription = edge.Ownership.OwnerDescription,
        HolderGrade = edge.Ownership.Grade > edge.Grade ? edge.Ownership.Grade : null,
        IsWaitAny = edge.Wait.IsWaitAny,
        IsSatisfied = edge.Wait.IsSatisfied,
    };

    /// <summary>A wait without a known holder as a link of a chain.</summary>
    public static ChainLink Link(AnalysisContext context, WaitFact wait) => new(
        wait.ThreadId, wait.Resource, context.Names.Resource(wait.Resource), null, null, wait.Grade, wait.Timeout, wait.Evidence)
    {
        IsWaitAny = wait.IsWaitAny,
        IsSatisfied = wait.IsSatisfied,
    };

    /// <summary>The verb for what an owner does with resources: it holds locks, runs callbacks and holds up collections.</summary>
    public static string HoldsOrRuns(IReadOnlyCollection<Resource> held) =>
        held.All(r => r.Facts.HeldBy == "run by") ? "runs" : held.All(r => r.Kind == ResourceKind.Suspension) ? "holds up" : "holds";

    /// <summary>What is waited for, each resource once, in an order that does not depend on who waits.</summary>
    public static Resource[] Held(IEnumerable<WaitEdge> edges) => [.. edges.Select(e => e.Resource).Distinct().OrderBy(r => r.Kind).ThenBy(r => r.Identity)];

    /// <summary>Why it is known what a thread does; never empty.</summary>
    public static ImmutableArray<Evidence> OfActivity(ThreadSnapshot thread) =>
        thread.Activity.Evidence.IsEmpty ? [new Evidence(EvidenceSource.Stack, "its innermost frames")] : thread.Activity.Evidence;

    /// <summary>Where a thread executes: its innermost managed method, else its innermost module; empty when neither is known.</summary>
    public static string Where(ThreadSnapshot thread) => thread.Stack.Frames switch
    {
        [{ Symbol: SymbolSource.Metadata, Function: { } method }, ..] => $" in {method}",
        [{ Module: { } module }, ..] => $" in {module}",
        _ => "",
    };

    /// <summary>
    /// The frames of a thread that matter: the innermost ones, and every frame of a module that is not the system's with its direct neighbours.
    /// Further out, functions of libraries that are compiled into the program do not matter: they would fill the excerpt.
    /// </summary>
    public static StackExcerpt Excerpt(AnalysisContext context, uint threadId, string role)
    {
        ImmutableArray<StackFrame> frames = context.Thread(threadId)?.Stack.Frames ?? [];
        HashSet<string> system = [.. context.Snapshot.Modules.Where(m => m.IsSystem == true).Select(m => m.Name)];
        SortedSet<int> indexes = [];
        for (int i = 0; i < frames.Length; i++)
        {
            if (i < InnermostFrames)
            {
                indexes.Add(i);
            }
            else if (frames[i].Module is { } module && !system.Contains(module) && !LibraryCode.Contains(frames[i]))
            {
                indexes.UnionWith([i - 1, i]);
            }
        }

        return new StackExcerpt(threadId, role, [.. indexes.Take(InnermostFrames * 2)]);
    }

    /// <summary>
    /// Threads that queue behind others (not behind mere candidates for a holder), grouped by what they were
    /// about to do, what they wait for and their innermost named frames.
    /// </summary>
    public static ImmutableArray<VictimGroup> Victims(AnalysisContext context, IEnumerable<uint> heads)
    {
        HashSet<uint> excluded = [.. heads];
        return
        [
            .. context.Graph.WaitersBehind(excluded, e => !e.IsThroughCandidate)
                .GroupBy(id => (Kind: KindOf(context, id), Text: Describe(context, id)))
                .OrderByDescending(g => g.Count()).ThenBy(g => g.Key.Kind).ThenBy(g => g.Min())
                .Select(g => new VictimGroup([.. g.Order()], g.Key.Text, g.Key.Kind)),
        ];
    }

    /// <summary>Starting or exiting only where the thread is known to wait for the loader and its stack shows which call of the loader waits.</summary>
    private static VictimKind KindOf(AnalysisContext context, uint id) =>
        context.Thread(id) is { } thread && context.Graph.From(id).Any(e => e.Resource.Facts.IsLoader && e.Wait.Grade > Grade.Suspected)
            ? LoaderFunctions.WaiterKind(thread.Stack.Frames)
            : VictimKind.Thread;

    private static string Describe(AnalysisContext context, uint id)
    {
        string waits = string.Join(" and ", context.Graph.From(id).Select(e => context.Names.Resource(e.Resource)).Distinct());
        IEnumerable<string> names = (context.Thread(id)?.Stack.Frames ?? [])
            .Where(f => f.Function is not null)
            .Select(f => $"{f.ModuleStem}!{f.Function}")
            .Take(4);
        return $"waiting for {waits}: {string.Join(" < ", names)}";
    }
}
