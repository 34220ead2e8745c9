using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Detectors.UserInterface;
using Dump.Analysis.Knowledge;
using Dump.Analysis.UserInterface;
using Dump.Model.Facts;
using Dump.Model.Verdicts;

namespace Dump.Analysis.Detectors.UserInterface;

/// <summary>Puts together what the verdicts about user-interface threads have in common.</summary>
internal static class UiVerdicts
{
    /// <summary>The blockages of one kind, in the order of the snapshot.</summary>
    public static IEnumerable<UiBlockage> Find(AnalysisContext context, UiBlockageKind kind) =>
        context.UiThreads.Select(u => UiBlockage.Of(context, u)).OfType<UiBlockage>().Where(b => b.Kind == kind);

    /// <summary>A verdict.</summary>
    /// <param name="context">The facts.</param>
    /// <param name="descriptor">The detector.</param>
    /// <param name="blockage">What was found.</param>
    /// <param name="does">Claims about what the thread does and waits for.</param>
    /// <param name="reasons">What speaks for a hang; not empty.</param>
    /// <param name="remedies">What to do.</param>
    public static Verdict Make(
        AnalysisContext context, DetectorDescriptor descriptor, UiBlockage blockage, IEnumerable<Claim> does, ImmutableArray<UiHangReason> reasons,
        ImmutableArray<string> remedies)
    {
        UiThread ui = blockage.Ui;
        ImmutableArray<Claim> facts = [UiSentences.Where(context, ui), .. does];
        Confidence evidence = facts.Take(2).Min(c => c.Confidence);
        Confidence Capped(Confidence of) => of < evidence ? of : evidence;
        ImmutableArray<uint> threads =
            [.. new[] { ui.Thread.Id }.Concat(blockage.Chain.Select(e => e.Holder)).Distinct().Where(id => context.Thread(id) is not null)];
        return new Verdict
        {
            DetectorId = descriptor.Id,
            Title = descriptor.Title,
            Confidence = Capped(reasons.Max(o => o.Confidence)),
            Claims = [.. facts, .. UiSentences.Reentered(context, threads), .. reasons.Select(o => new Claim(o.Text, Capped(o.Confidence), [o.Evidence]) { IsOpenQuestion = o.IsOpenQuestion }),
                UiSentences.Consequence(blockage)],
            Chain = blockage.Chain.IsEmpty
                ? blockage.Wait is null ? [] : [VerdictParts.Link(context, blockage.Wait)]
                : [.. blockage.Chain.Select(e => VerdictParts.Link(context, e)), .. End(context, blockage)],
            Threads = threads,
            Stacks = [.. threads.Select(
                id => VerdictParts.Excerpt(context, id, id == ui.Thread.Id ? "inside a message handler" : ActivityText.Of(context, id)))],
            Culprit = Culprit(ui),
            Victims = VerdictParts.Victims(context, threads),
            Remedies = [.. remedies, UiSentences.SecondDump(context)],
        };
    }

    /// <summary>The handler as the code to blame, or null when none of its frames is the program's own.</summary>
    public static Culprit? Culprit(UiThread ui) => ui.Handler is not { Module: { } module } handler ? null
        : new Culprit(module, $"{(ui.ServesComCall ? "COM call" : "message handler")}{(handler.Function is { } function ? $" {function}" : "")}", ui.Thread.Id)
        {
            Message = ui.ServesComCall ? null : ui.Message is { } message ? WindowMessageNames.Of(message.Message) : null,
        };

    private static IEnumerable<ChainLink> End(AnalysisContext context, UiBlockage blockage) =>
        context.Graph.From(blockage.Last).IsEmpty ? context.Graph.WaitsOf(blockage.Last).Take(1).Select(w => VerdictParts.Link(context, w)) : [];
}
