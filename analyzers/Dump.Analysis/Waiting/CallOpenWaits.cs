using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Looks;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Waiting;

/// <summary>
/// What pending calls of the program's own async methods wait for, by the innermost of these and its line: a server's requests are no threads, and where nothing
/// is judged they are what there is to look at. Many that ask for something which nobody is seen to give leave the answer open.
/// </summary>
internal sealed class CallOpenWaits : IOpenWaitRule
{
    private const int MostListed = 8;
    private const int MostFailed = 3;
    private const int MostTold = 4;

    /// <summary>Those that leave the answer open first, then those for which nothing is known to come by itself; nothing where something was found.</summary>
    public IEnumerable<OpenWait> Find(OpenWaitScope scope)
    {
        OwnCalls[] own = [.. Listed(scope)];
        return own.Take(MostListed).Select(c => Of(scope.Context, c)).Concat(own.Length > MostListed ? [Further(own.Length - MostListed)] : [])
            .Concat(own.Length > 0 ? Failed(scope.Context) : []);
    }

    /// <summary>
    /// True where many calls ask for something that nobody is seen to give, or some for a lock that nobody is seen to hold, and no earlier look shows that some have got it
    /// since; and for requests that stood there in an earlier look.
    /// </summary>
    /// <param name="context">The facts.</param>
    /// <param name="calls">The calls.</param>
    public static bool LeavesUndecided(AnalysisContext context, OwnCalls calls) =>
        ((calls.IsForLostTurn(context) || (calls.Asks && calls.IsCrowd(context))) && !HasMoved(context, calls)) || (calls.IsOpenRequest(context) && calls.Since(context) is { Pair.MayBeApart: true });

    /// <summary>
    /// The same of all calls of some methods: true where they leave the answer open, false where some of them have moved on since the last look, null where
    /// neither is known.
    /// </summary>
    /// <param name="context">The facts.</param>
    /// <param name="methods">The methods that wait.</param>
    public static bool? LeaveUndecided(AnalysisContext context, ImmutableArray<AwaitingMethod> methods)
    {
        OwnCalls[] calls = [.. context.Calls.Where(c => methods.Any(m => m.Name == c.Own.Name))];
        return calls.Any(c => LeavesUndecided(context, c)) ? true : calls.Any(c => HasMoved(context, c)) ? false : null;
    }

    /// <summary>A later moment of all kinds of calls that leave the answer open, those that are only counted too.</summary>
    public IEnumerable<MissingData> Missing(OpenWaitScope scope, ImmutableArray<OpenWait> open) =>
        open.IsEmpty ? [] : [MissingData.Of(MissingKind.LaterMomentOfCalls, Listed(scope).Count(c => LeavesUndecided(scope.Context, c)))];

    /// <summary>Calls that no line of <see cref="AsyncOpenWaits"/> tells of; those that leave the answer open come first.</summary>
    private static IEnumerable<OwnCalls> Listed(OpenWaitScope scope)
    {
        AnalysisContext context = scope.Context;
        if (context.Snapshot.AsyncWaits is not { } waits || !scope.Verdicts.IsEmpty)
        {
            return [];
        }

        HashSet<string> told =
        [
            .. waits.Semaphores.Where(AsyncOpenWaits.IsListed).SelectMany(s => s.Methods).Concat(waits.Tasks.Where(AsyncOpenWaits.IsListed).SelectMany(t => t.Methods))
                .Concat(waits.Sources.Where(AsyncOpenWaits.IsListed).SelectMany(s => s.Methods)).Select(m => m.Name),
        ];
        return context.Calls.Where(c => !told.Contains(c.Own.Name))
            .OrderByDescending(c => LeavesUndecided(context, c)).ThenBy(c => c.Calls.End).ThenByDescending(c => c.Calls.Count);
    }

    private static bool HasMoved(AnalysisContext context, OwnCalls calls) =>
        !context.Earlier.IsEmpty && calls.Compare(context, context.Earlier[^1]) == OwnCalls.Standing.Some;

    private static OpenWait Of(AnalysisContext context, OwnCalls calls)
    {
        string since = calls.Since(context) is { } look ? $" {(calls.Calls.Count == 1 ? "It was" : "All were")} seen there in {PairText.DumpBefore(look)}."
            : HasMoved(context, calls) ? $" Some calls of {(calls.Calls.Count == 1 ? "its" : "their")} method have moved on since {PairText.DumpBefore(context.Earlier[^1])}." : "";
        return new OpenWait(
            OpenWaitKind.PendingCalls, null, null, $"{calls.Sentence}{Ends(calls.Calls)}.{Holders(context, calls)}{since}", Grade.Proven, [new Evidence(EvidenceSource.Memory, "the pending async method, and what it awaits", calls.Calls.Object)])
        {
            Resource = new Resource(ResourceKind.ManagedTask, calls.Calls.Object ?? 0),
            LeavesUndecided = LeavesUndecided(context, calls),
            IsExplained = calls.Calls.End is AwaitEndKind.Time or AwaitEndKind.NewWork,
        };
    }

    private static string Holders(AnalysisContext context, OwnCalls calls) => calls.SemaphoreIn(context) is not { } semaphore ? ""
        : calls.IsForLostTurn(context) ? " No call is seen to hold it." : SemaphoreWords.Holders(semaphore);

    /// <summary>What a verdict says of the calls that a program's threads wait for in the end, and of tasks that have failed unseen.</summary>
    internal static IEnumerable<OpenWait> Told(AnalysisContext context) =>
        context.Calls.OrderBy(c => c.Calls.End).ThenByDescending(c => c.Calls.Count).Take(MostTold).Select(c => Of(context, c)).Concat(Failed(context));

    private static IEnumerable<OpenWait> Failed(AnalysisContext context) => (context.Snapshot.AsyncWaits?.Faults ?? []).Take(MostFailed).Select(f => new OpenWait(
        OpenWaitKind.FailedTasks, null, null, FailedSentence(f), Grade.Proven, [new Evidence(EvidenceSource.Memory, "the task and the holder of its exception", f.Example)])
    {
        Resource = new Resource(ResourceKind.ManagedTask, f.Example),
    });

    private static string FailedSentence(UnobservedFault fault) =>
        $"{CountText.Grouped(fault.Count, "task")} of {fault.Task} {(fault.Count == 1 ? "has" : "have")} failed with {fault.Exception ?? "an exception of unknown type"}, "
            + "which was never observed.";

    private static string Ends(PendingCalls calls) => calls.End switch
    {
        AwaitEndKind.Time => calls.Count == 1 ? ", and goes on by itself" : ", and go on by themselves",
        AwaitEndKind.InputOutput => ", which the other end decides",
        AwaitEndKind.NewWork => ", as idle consumers do",
        _ => "",
    };

    private static OpenWait Further(int kinds) => new(
        OpenWaitKind.FurtherCalls, null, null, $"{CountText.Of(kinds, "further kind")} of pending calls: dumpanalyze tasks shows them.", Grade.Proven,
        [new Evidence(EvidenceSource.Memory, "the pending async methods of the managed heap")])
    {
        Resource = new Resource(ResourceKind.ManagedTask, 0),
    };
}
