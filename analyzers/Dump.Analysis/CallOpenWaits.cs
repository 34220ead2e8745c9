using System.Collections.Immutable;
using System.Globalization;
using Dump.Analysis.Detection;
using Dump.Analysis.Looks;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis;

/// <summary>
/// What pending calls of the program's own async methods wait for, by the innermost of these and its line: a server's requests are no threads, and where nothing
/// is judged they are what there is to look at. The list says what is so and leaves nothing undecided by itself.
/// </summary>
internal static class CallOpenWaits
{
    private const int MostListed = 8;

    /// <summary>Those for which nothing is known to come by itself first; nothing where something was found.</summary>
    /// <param name="context">The facts.</param>
    /// <param name="verdicts">What was found.</param>
    public static IEnumerable<OpenWait> Find(AnalysisContext context, IEnumerable<Verdict> verdicts)
    {
        if (context.Snapshot.AsyncWaits is not { } waits || verdicts.Any())
        {
            return [];
        }

        HashSet<string> told =
        [
            .. waits.Semaphores.Where(AsyncOpenWaits.IsListed).SelectMany(s => s.Methods).Concat(waits.Tasks.Where(AsyncOpenWaits.IsListed).SelectMany(t => t.Methods))
                .Concat(waits.Sources.Where(AsyncOpenWaits.IsListed).SelectMany(s => s.Methods)).Select(m => m.Name),
        ];
        (PendingCalls Calls, AsyncStep Own, AsyncStep? Next)[] own =
        [
            .. waits.Calls.Where(c => c.End != AwaitEndKind.Running).Select(c => Innermost(context, c)).OfType<(PendingCalls Calls, AsyncStep Own, AsyncStep? Next)>()
                .Where(c => !told.Contains(c.Own.Name))
                .OrderBy(c => c.Calls.End).ThenByDescending(c => c.Calls.Count),
        ];
        return own.Take(MostListed).Select(c => Of(c.Calls, c.Own, c.Next, Since(context, c.Calls))).Concat(own.Length > MostListed ? [Further(own.Length - MostListed)] : []);
    }

    /// <summary>The innermost method of the program's projects, where it is one of the calls' own and not of one that they await: that one has calls of its own.</summary>
    private static (PendingCalls Calls, AsyncStep Own, AsyncStep? Next)? Innermost(AnalysisContext context, PendingCalls calls)
    {
        int index = calls.Steps.Length - 1;
        while (index >= 0 && !IsOwn(context, calls.Steps[index]))
        {
            index--;
        }

        return index < 0 || index >= calls.Methods || calls.Steps.Skip(index).SelectMany(s => s.Branches).Any(b => HasOwn(context, b)) ? null
            : (calls, calls.Steps[index], index + 1 < calls.Steps.Length ? calls.Steps[index + 1] : null);
    }

    private static bool HasOwn(AnalysisContext context, AsyncBranch branch) =>
        branch.Steps.Any(s => IsOwn(context, s) || s.Branches.Any(b => HasOwn(context, b)));

    private static bool IsOwn(AnalysisContext context, AsyncStep step) =>
        context.Snapshot.ModuleOf(step.Code) is { } module && context.Application.IsOfProject(module);

    private static OpenWait Of(PendingCalls calls, AsyncStep own, AsyncStep? next, EarlierLook? since)
    {
        string last = calls.Steps[^1].Name;
        string what = calls.Steps[^1] == own ? "what is not known" : last;
        string through = next is null || next == calls.Steps[^1] ? "" : $", through {next.Name}";
        return new OpenWait(
            null, null,
            $"{CountText.Grouped(calls.Count, "call")} of {own.Name}{FrameWords.Source(own.Source)} {(calls.Count == 1 ? "waits" : "wait")} for {what}{Object(calls)}{through}"
                + $"{Ends(calls.End)}.{(since is null ? "" : $" {(calls.Count == 1 ? "It" : "As many")} stood there in {PairText.DumpBefore(since)}.")}",
            Grade.Proven, [new Evidence(EvidenceSource.Memory, "the pending async method, and what it awaits", calls.Object)])
        {
            Resource = new Resource(ResourceKind.ManagedTask, calls.Object ?? 0),
        };
    }

    /// <summary>The oldest dump since which as many calls have stood at the same await for the same objects. The collector moves these, and then it is not known.</summary>
    private static EarlierLook? Since(AnalysisContext context, PendingCalls calls) => context.Earlier.Since(look => look.Pair.Earlier.AsyncWaits?.Calls.Any(c =>
        c.Count == calls.Count && c.Ends == calls.Ends && c.Object == calls.Object
            && c.Steps.Select(s => (s.Name, s.State)).SequenceEqual(calls.Steps.Select(s => (s.Name, s.State)))) == true);

    private static string Object(PendingCalls calls) => calls switch
    {
        { Object: not { } } => "",
        { Ends: 1, ObjectState: { } state } => string.Create(CultureInfo.InvariantCulture, $" 0x{calls.Object:x} ({state})"),
        { Ends: 1 } => string.Create(CultureInfo.InvariantCulture, $" 0x{calls.Object:x}"),
        _ => string.Create(CultureInfo.InvariantCulture, $" ({calls.Ends:N0} of them; the first is 0x{calls.Object:x})"),
    };

    private static string Ends(AwaitEndKind end) => end switch
    {
        AwaitEndKind.Time => ", and goes on by itself",
        AwaitEndKind.InputOutput => ", which the other end decides",
        AwaitEndKind.NewWork => ", as idle consumers do",
        _ => "",
    };

    private static OpenWait Further(int kinds) => new(
        null, null, $"{CountText.Of(kinds, "further kind")} of pending calls: dumpanalyze tasks shows them.", Grade.Proven,
        [new Evidence(EvidenceSource.Memory, "the pending async methods of the managed heap")])
    {
        Resource = new Resource(ResourceKind.ManagedTask, 0),
    };
}
