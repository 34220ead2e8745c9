using System.Collections.Immutable;
using System.Globalization;
using System.Text.RegularExpressions;
using Dump.Model.Facts;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Testing.Renaming;

/// <summary>
/// A judgement as lines. Under ids of another order the lines say less: a cycle begins at its smallest thread, sentences and the clauses of each are sorted,
/// and where a verdict shows one of several equal threads it does not matter which.
/// </summary>
/// <param name="KeepsOrder">True where the ids of threads have the order that they had: everything must be said in the same order then.</param>
public sealed partial record CanonicalResult(bool KeepsOrder)
{
    /// <summary>The lines of a judgement, in the numbers that it is to be compared in.</summary>
    public IReadOnlyList<string> Lines(AnalysisResult result) =>
    [
        .. Ordered(result.Verdicts.Select(Verdict)),
        .. result.Outcomes.Select(Outcome),
        .. result.Focus is { } focus ? [string.Create(CultureInfo.InvariantCulture, $"focus 0x{focus.ThreadId:x} {focus.Role}")] : Array.Empty<string>(),
        .. result.FocusAwaits is { } awaited ? [string.Create(CultureInfo.InvariantCulture, $"awaits 0x{awaited.ThreadId:x}")] : Array.Empty<string>(),
        .. Ordered(result.OpenWaits.Select(Open)),
        .. Ordered(result.Notes.Select(n => "note " + Text(n))),
        $"undecidable {result.IsUndecidable}",
    ];

    /// <summary>The lines of wait chains, one for each thread.</summary>
    public IReadOnlyList<string> Lines(IEnumerable<WaitChain> chains) =>
        [.. chains.Select(c => string.Create(CultureInfo.InvariantCulture, $"chain 0x{c.ThreadId:x} cycle {c.EndsInCycle}{Lines(c.Links.Select(Link))}"))
            .Order(StringComparer.Ordinal)];

    private string Open(OpenWait wait) => string.Create(
        CultureInfo.InvariantCulture,
        $"open {Ids(wait.ThreadId is { } first ? [first, .. wait.Others] : [])} {Text(wait.Role ?? "")} {Text(wait.Activity)} {wait.SystemCall} {wait.Resource} {wait.Timeout} {wait.ThroughIndex} {wait.OwnIndex} {wait.LeavesUndecided}");

    private string Outcome(DetectorOutcome outcome) =>
        $"{outcome.DetectorId} {outcome.Kind} {outcome.Error}{Parts(outcome.Missing.Select(Missing))}{Parts(outcome.Verdicts.Select(Verdict))}";

    private string Verdict(Verdict verdict) => string.Concat(
        $"{verdict.DetectorId} {verdict.Title} {verdict.Confidence}; culprit {verdict.Culprit}; threads {Ids(verdict.Threads)}",
        IsOneCycleOfSeveral(verdict) ? $"\n  {verdict.Claims.Length} claims"
            : Parts(verdict.Claims.Select(c => $"claim {c.Confidence}: {Text(c.Text)}{Because(c.Evidence)}")),
        Chain(verdict),
        IsOneCycleOfSeveral(verdict) ? "" : Parts(verdict.Stacks.Select(Stack)),
        Parts(verdict.Victims.Select(v => $"victims {Ids(v.ThreadIds)} {v.Kind}: {Text(v.Description)}")),
        Parts(verdict.Remedies.Select(r => "remedy " + Text(r))),
        Parts(verdict.Undecided.Select(Missing)));

    /// <summary>True where threads wait for each other in several cycles, of which the shortest is shown; ids decide between equally short ones.</summary>
    private bool IsOneCycleOfSeveral(Verdict verdict) =>
        !KeepsOrder && verdict.Chain is [.., var last] && last.HolderThreadId == verdict.Chain[0].ThreadId && verdict.Threads.Length > verdict.Chain.Length;

    private string Chain(Verdict verdict)
    {
        ImmutableArray<ChainLink> chain = verdict.Chain;
        if (KeepsOrder || chain.IsEmpty)
        {
            return Lines(chain.Select(Link));
        }

        if (IsOneCycleOfSeveral(verdict))
        {
            return $"\n  a cycle of {chain.Length}";
        }

        int smallest = chain.IndexOf(chain.MinBy(l => l.ThreadId)!);
        bool isCycle = chain[^1].HolderThreadId == chain[0].ThreadId;
        bool isOneOfMany = !isCycle && (verdict.Victims.Any(v => v.ThreadIds.Contains(chain[0].ThreadId)) || (verdict.Threads.Length > 1 && chain.Length == 1));
        bool isStar = chain.Select(l => l.HolderThreadId).Distinct().Count() == 1;
        bool isPath = Enumerable.Range(0, chain.Length - 1).All(i => chain[i].HolderThreadId == chain[i + 1].ThreadId);
        return (isStar || (!isPath && !isOneOfMany)) && chain.Length > 1 ? Parts(chain.Select(Link))
            : isCycle ? Lines([.. chain[smallest..].Select(Link), .. chain[..smallest].Select(Link)])
            : isOneOfMany ? Lines([$"link of one of them to {chain[0].HolderThreadId}", .. chain.Skip(1).Select(Link)])
            : Lines(chain.Select(Link));
    }

    private string Link(ChainLink link) => string.Create(
        CultureInfo.InvariantCulture,
        $"link 0x{link.ThreadId:x} -> {link.Resource} {Text(link.ResourceText)} -> 0x{link.HolderThreadId:x} {link.HolderIsAlive} {link.HolderDescription} {link.Grade} {link.Timeout}{Because(link.Evidence)}");

    private string Stack(StackExcerpt stack) =>
        KeepsOrder ? string.Create(CultureInfo.InvariantCulture,
            $"stack 0x{stack.ThreadId:x}: {Text(stack.Role)} frames {string.Join(' ', stack.FrameIndexes)}") : $"stack: {Text(stack.Role)}";

    private string Because(ImmutableArray<Evidence> evidence) => !KeepsOrder ? "" : Lines(
        evidence.Select(e => string.Create(CultureInfo.InvariantCulture, $"evidence {e.Source} {e.Text} {e.Address:x} {e.Value:x}")));

    private string Missing(MissingData missing) => $"missing {missing.Kind} {Text(missing.What)}: {Text(missing.Consequence)}: {Text(missing.CaptureAdvice)}";

    private string Ids(IEnumerable<uint> ids) => string.Join(' ', (KeepsOrder ? ids : ids.Order()).Select(i => i.ToString("x", CultureInfo.InvariantCulture)));

    private string Text(string text) => KeepsOrder ? text : string.Join(" | ", Clause().Split(text).Select(c => c.ToLowerInvariant())
        .Order(StringComparer.Ordinal));

    private string Parts(IEnumerable<string> parts) => Lines(Ordered(parts));

    private IEnumerable<string> Ordered(IEnumerable<string> parts) => KeepsOrder ? parts : parts.Order(StringComparer.Ordinal);

    private static string Lines(IEnumerable<string> parts) => string.Concat(parts.Select(p => "\n  " + p));

    [GeneratedRegex("[,;:.] (?:but )?|, and | and |[.]$| threads (?=0x|[0-9])| (?=have each )", RegexOptions.CultureInvariant)]
    private static partial Regex Clause();
}
