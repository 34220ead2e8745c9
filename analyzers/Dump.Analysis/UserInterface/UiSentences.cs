using System.Collections.Immutable;
using System.Globalization;
using Dump.Analysis.Detectors;
using Dump.Analysis.Graph;
using Dump.Analysis.Knowledge;
using Dump.Analysis.Text;
using Dump.Model;

namespace Dump.Analysis.UserInterface;

/// <summary>Sentences about user-interface threads.</summary>
internal static class UiSentences
{
    /// <summary>The claim that a thread pumps messages and is in a handler.</summary>
    public static Claim Where(AnalysisContext context, UiThread ui)
    {
        return new Claim(
            $"{context.Names.ThreadCapitalised(ui.Thread.Id)} {IsInHandler(ui)}.",
            VerdictParts.Confidence(ui.Grade),
            [new Evidence(EvidenceSource.Stack, Place(ui))]);
    }

    /// <summary>That a thread pumps messages and is in a handler, as a clause without its subject.</summary>
    public static string IsInHandler(UiThread ui)
    {
        string handler = ui.Handler is { } frame ? $" of {Code(frame)}" : "";
        string pump = ui.Grade == Grade.Suspected && ui.Pump.Function is null
            ? "is most likely called back by user32 for a window message (the functions have no names without user32's symbols)"
            : $"pumps window messages ({ui.Pump.ModuleStem}!{ui.Pump.Function})";
        return $"{pump} and is inside a message handler{handler}";
    }

    /// <summary>The frames of pump and handler, as evidence.</summary>
    public static string Place(UiThread ui) =>
        $"frame {ui.PumpIndex}: {Code(ui.Pump)}{(ui.HandlerIndex is { } index ? $"; frame {index}: {Code(ui.Handler!)}" : "")}";

    /// <summary>What still reaches a thread inside a handler, and what does not.</summary>
    public static string Reach(UiThread ui) => ui.ComWait is not null
        ? "COM calls and messages that other threads send still reach it; input, timers, painting and posted messages do not."
        : "until it returns there, none of its windows takes input or is painted.";

    /// <summary>What does not run meanwhile, and what does.</summary>
    public static Claim Consequence(UiBlockage blockage)
    {
        string text = blockage.Ui.ComWait is not null ? "COM calls and messages that other threads send still reach it; input, timers, painting and posted messages do not."
            : blockage.Wait?.Resource.Kind == ResourceKind.WindowMessage ? "Messages that other threads send still reach it; input, timers, painting and posted messages do not."
            : "Until it returns there, none of its windows takes input or is painted.";
        return new Claim(
            text,
            VerdictParts.Confidence(blockage.Ui.Grade),
            [new Evidence(EvidenceSource.Rule, "a thread takes messages only where it calls for them")]);
    }

    /// <summary>The claims about each step of the chain, and about what the last thread does.</summary>
    public static IEnumerable<Claim> Chain(AnalysisContext context, UiBlockage blockage)
    {
        foreach (WaitEdge edge in blockage.Chain)
        {
            string ends = edge.Wait.Timeout == WaitTimeout.Finite ? $" This wait ends by itself{(edge.Wait.Milliseconds is { } limit ? $" after {Naming.Duration(TimeSpan.FromMilliseconds(limit))} at most" : "")}." : "";
            yield return new Claim(
                CycleSentences.Edge(context.Names, edge) + ends, VerdictParts.Confidence(edge.Grade), [.. edge.Wait.Evidence, .. edge.Ownership.Evidence]);
        }

        if (!blockage.Chain.IsEmpty && context.Thread(blockage.Last) is { } last && !context.Graph.From(last.Id).Any(e => blockage.Chain.Contains(e)))
        {
            WaitFact? wait = context.Graph.WaitsOf(last.Id).FirstOrDefault();
            yield return new Claim(
                $"{context.Names.ThreadCapitalised(last.Id)}, which must act first, {UiOutlook.Doing(context, last.Id)}.",
                VerdictParts.Confidence(wait?.Grade ?? Grade.Proven),
                wait?.Evidence ?? (last.Activity.Evidence.IsEmpty ? [new Evidence(EvidenceSource.Stack, "its innermost frames")] : last.Activity.Evidence));
        }
    }

    /// <summary>The time limit of a wait as the end of a clause.</summary>
    public static string Limit(WaitFact wait) => wait switch
    {
        { Timeout: WaitTimeout.Infinite } => ", without a time limit",
        { Timeout: WaitTimeout.Finite, Milliseconds: { } limit } => string.Create(CultureInfo.InvariantCulture, $", for at most {Naming.Duration(TimeSpan.FromMilliseconds(limit))}"),
        { Timeout: WaitTimeout.Finite } => ", with a time limit",
        _ => " (time limit unknown)",
    };

    /// <summary>A frame as module and function, or module and offset.</summary>
    public static string Code(StackFrame frame) => frame switch
    {
        { Module: { } module, Function: { } function } => $"{module}!{function}",
        { Module: { } module } => string.Create(CultureInfo.InvariantCulture, $"{module}+0x{frame.ModuleOffset ?? 0:x}"),
        _ => string.Create(CultureInfo.InvariantCulture, $"0x{frame.InstructionPointer:x}"),
    };

    /// <summary>A second moment is what one dump lacks.</summary>
    public static ImmutableArray<string> SecondDump { get; } =
        ["Take a second dump some seconds later, or let procdump wait for the hang: procdump -ma -h PID. The same frames again mean that it is stuck, not slow."];
}
