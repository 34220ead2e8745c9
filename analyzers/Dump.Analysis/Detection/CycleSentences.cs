using System.Collections.Immutable;
using Dump.Analysis.Graph;
using Dump.Model.Facts;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Detection;

/// <summary>Claims about a cycle of locks, one for each edge and one that draws the conclusion.</summary>
internal static class CycleSentences
{
    private const int MostNamed = 10;

    /// <summary>The claims of a cycle, conclusion first.</summary>
    public static ImmutableArray<Claim> Claims(Naming names, WaitCycle cycle)
    {
        Confidence whole = VerdictParts.Confidence(cycle.Grade);
        return
        [
            new Claim(Conclusion(names, cycle), whole, [.. cycle.Edges.SelectMany(e => e.Wait.Evidence.Take(1))]),
            .. cycle.Edges.Select(e => new Claim(
                Edge(names, e), VerdictParts.Confidence(e.Grade), [.. e.Wait.Evidence, .. e.Ownership.Evidence])),
            .. LeftByIdAlone(names, cycle),
        ];
    }

    /// <summary>Why a cycle is surer than what is known of who entered its locks, and what else may have made it.</summary>
    private static IEnumerable<Claim> LeftByIdAlone(Naming names, WaitCycle cycle) => cycle.Grade == Grade.Suspected ? []
        : cycle.Edges.Where(e => e.IsLeftByIdAlone).Take(MostNamed).Select(e => new Claim(
            $"Only the thread with the managed id {e.Ownership.ManagedIdAlone} can leave {names.Resource(e.Resource)}, and {names.Thread(e.Holder)} has it: "
                + "whoever entered the lock, the cycle does not end. If its code never enters it, an earlier thread of that id ended without leaving it.",
            VerdictParts.Confidence(cycle.Grade),
            [.. e.Ownership.Evidence, new Evidence(EvidenceSource.Rule, "live threads have different managed ids")]));

    /// <summary>One edge as a sentence.</summary>
    public static string Edge(Naming names, WaitEdge edge)
    {
        if (edge.Resource.Kind == ResourceKind.WindowMessage)
        {
            string whose = edge.Ownership.Grade > Grade.Suspected ? "most likely" : "possibly";
            return $"{names.ThreadCapitalised(edge.Waiter)} waits for {names.Resource(edge.Resource)} to be handled, {whose} by {names.Thread(edge.Holder)}, "
                + "whose window it is.";
        }

        string limit = edge.Wait.Timeout == WaitTimeout.Unknown ? " (time limit unknown)"
            : edge.Wait.IsAlertable ? " (alertable: an asynchronous procedure call may end the wait)" : "";
        string others = edge.Wait.IsWaitAny ? "; or for any one of other objects, for each of which a thread that cannot go on must act" : "";
        return $"{names.ThreadCapitalised(edge.Waiter)} waits for {names.Resource(edge.Resource)}{limit}{Owner(names, edge)}{others}.";
    }

    /// <summary>Who owns what an edge waits for, as the end of a sentence; nothing where the resource's words say that.</summary>
    public static string Owner(Naming names, WaitEdge edge) =>
        edge.Resource.Facts.NamesItsOwner ? ""
            : $", {OwnerWords.HeldBy(edge.Resource.Kind, edge.Ownership.Grade)} {names.Thread(edge.Holder)}{OwnerWords.ById(edge.Ownership)}";

    private static string Conclusion(Naming names, WaitCycle cycle)
    {
        // The sentences on the edges and the chain name them all; which ones to leave out, only an order of threads could say, and that decides nothing.
        string threads = cycle.Threads.Length > MostNamed ? "" : $": {string.Join(", ", cycle.Threads.Select(names.Thread))}";
        if (cycle.Edges.Length == 1)
        {
            string self = names.ThreadCapitalised(cycle.Threads[0]);
            return cycle.Grade == Grade.Suspected
                ? $"{self} may be waiting for itself."
                : $"{self} waits for itself: a deadlock.";
        }

        return cycle.Grade == Grade.Suspected
            ? $"{CountText.Of(cycle.Edges.Length, "thread")} may be waiting for each other{threads}."
            : $"{CountText.Of(cycle.Edges.Length, "thread")} wait for each other and none can go on, a deadlock{threads}.";
    }
}
