using System.Collections.Immutable;
using System.Globalization;
using Dump.Analysis.Detection;
using Dump.Analysis.Detectors.UserInterface;
using Dump.Analysis.Graph;
using Dump.Analysis.Knowledge;
using Dump.Analysis.UserInterface;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Detectors.UserInterface;

/// <summary>Sentences about user-interface threads.</summary>
internal static class UiSentences
{
    /// <summary>The claim that a thread pumps messages and is in a handler.</summary>
    public static Claim Where(AnalysisContext context, UiThread ui)
    {
        return new Claim(
            $"{context.Names.ThreadCapitalised(ui.Thread.Id)} {IsInHandler(ui)}.",
            VerdictParts.Confidence(ui.Grade),
            [new Evidence(EvidenceSource.Stack, Place(ui)), .. Supporting(ui.Thread), .. OnlyCandidate(ui)]);
    }

    /// <summary>
    /// What else speaks for a user-interface thread. None of it makes one: workers call the window manager once, and are in single-threaded apartments.
    /// </summary>
    private static IEnumerable<Evidence> Supporting(ThreadSnapshot thread)
    {
        if (thread.IsGuiThread == true)
        {
            yield return new Evidence(EvidenceSource.Memory, "TEB.Win32ThreadInfo: the thread has called the window manager");
        }

        if (thread.Apartment is { Kind: ComApartmentKind.SingleThreaded, Evidence: { } apartment })
        {
            yield return apartment;
        }
    }

    private static IEnumerable<Evidence> OnlyCandidate(UiThread ui) => ui is { IsInferred: true, Grade: > Grade.Suspected }
        ? [new Evidence(EvidenceSource.DumpStream, "the dump's comment names a hung window, and no other thread has frames that can be a message loop's")]
        : [];

    /// <summary>That a thread pumps messages and is in a handler, as a clause without its subject.</summary>
    public static string IsInHandler(UiThread ui)
    {
        string handler = ui.Handler is { } frame ? $" of {Code(frame)}" : "";
        string pump = ui.IsInferred
            ? "is most likely called back by user32 for a window message (the functions have no names without user32's symbols)"
            : $"pumps window messages ({ui.Pump.ModuleStem}!{ui.Pump.Called})";
        string message = ui.Message is { } of ? $", for {WindowMessageNames.Of(of.Message)} to window 0x{of.Window:x}" : "";
        return ui.ServesComCall
            ? $"{pump} and serves a call of another apartment to a COM object of its own{(ui.Handler is { } callee ? $" ({Code(callee)})" : "")}"
            : $"{pump} and is inside a message handler{handler}{message}";
    }

    /// <summary>The frames of pump and handler, as evidence.</summary>
    public static string Place(UiThread ui) =>
        $"frame {ui.PumpIndex}: {Code(ui.Pump)}{(ui.HandlerIndex is { } index ? $"; frame {index}: {Code(ui.Handler!)}" : "")}";

    /// <summary>What still reaches a thread inside a handler, and what does not.</summary>
    public static string Reach(UiThread ui, bool sends = false) => ui.ComWait switch
    {
        { TakesComCalls: true, TakesSentMessages: true } =>
            "COM calls and messages that other threads send still reach it; input, timers, painting and posted messages do not.",
        { TakesSentMessages: true } =>
            "messages that other threads send still reach it; input, timers, painting, posted messages and COM calls to its apartment do not.",
        null when sends => "messages that other threads send still reach it; input, timers, painting and posted messages do not.",
        _ when ui.ServesComCall =>
            "until it returns there, no other COM call reaches its apartment, and none of its windows, if it has any, takes input or is painted.",
        _ => "until it returns there, none of its windows takes input or is painted.",
    };

    /// <summary>For each of the threads whose message arrived while it was handling another one already: that it did.</summary>
    public static IEnumerable<Claim> Reentered(AnalysisContext context, IEnumerable<uint> threads)
    {
        HashSet<uint> wanted = [.. threads];
        return context.UiThreads.Where(u => wanted.Contains(u.Thread.Id)).Select(u => Reentered(context, u)).OfType<Claim>();
    }

    private static Claim? Reentered(AnalysisContext context, UiThread ui)
    {
        if (ui.Reentry is not { } reentry)
        {
            return null;
        }

        ImmutableArray<StackFrame> frames = ui.Thread.Stack.Frames;
        (StackFrame outer, StackFrame call, StackFrame inner) = (frames[reentry.OuterIndex], frames[reentry.CallIndex], frames[reentry.InnerIndex]);
        bool isSure = frames.Take(reentry.OuterIndex + 1).All(f => f.Trust > FrameTrust.Scan);
        return new Claim(
            $"On {context.Names.Thread(ui.Thread.Id)} the handler {Code(inner)} runs inside {call.ModuleStem}!{call.Called}, which another handler, "
                + $"{Code(outer)}, called and which delivered its message: the outer one cannot go on before it returns (reentrancy).",
            isSure ? Confidence.Confirmed : Confidence.Suspected,
            [new Evidence(
                EvidenceSource.Stack, $"frames {reentry.InnerIndex}, {reentry.CallIndex} and {reentry.OuterIndex}: {Code(inner)} < "
                    + $"{call.ModuleStem}!{call.Called} < {Code(outer)}")]);
    }

    /// <summary>What does not run meanwhile, and what does.</summary>
    public static Claim Consequence(UiBlockage blockage)
    {
        return new Claim(
            Naming.Capitalised(Reach(blockage.Ui, blockage.Wait?.Resource.Kind == ResourceKind.WindowMessage)),
            VerdictParts.Confidence(blockage.Ui.Grade),
            [new Evidence(EvidenceSource.Rule, "a thread takes messages only where it calls for them")]);
    }

    /// <summary>The claims about each step of the chain, and about what the last thread does.</summary>
    public static IEnumerable<Claim> Chain(AnalysisContext context, UiBlockage blockage)
    {
        foreach (WaitEdge edge in blockage.Chain)
        {
            string most = edge.Wait.Milliseconds is { } limit ? $" after {Naming.TimeLimit(limit)} at most" : "";
            string ends = edge.Wait.Timeout == WaitTimeout.Finite ? $" This wait ends by itself{most}." : "";
            yield return new Claim(
                CycleSentences.Edge(context.Names, edge) + ends, VerdictParts.Confidence(edge.Grade), [.. edge.Wait.Evidence, .. edge.Ownership.Evidence]);
        }

        if (!blockage.Chain.IsEmpty && context.Thread(blockage.Last) is { } last && !context.Graph.From(last.Id).Any(e => blockage.Chain.Contains(e)))
        {
            WaitFact? wait = context.Graph.FirstWaitOf(last.Id);
            yield return new Claim(
                $"{context.Names.ThreadCapitalised(last.Id)}, which {(blockage.Chain.Any(e => e.IsThroughCandidate) ? "may have to" : "must")} act first, "
                    + $"{ActivityText.Of(context, last.Id)}.",
                VerdictParts.Confidence(wait?.Grade ?? Grade.Proven),
                wait?.Evidence ?? VerdictParts.OfActivity(last));
        }
    }

    /// <summary>A frame as module and function, or module and offset.</summary>
    public static string Code(StackFrame frame) => frame switch
    {
        { Module: { } module, Function: { } function } => $"{module}!{function}",
        { Module: { } module } => string.Create(CultureInfo.InvariantCulture, $"{module}+0x{frame.ModuleOffset ?? 0:x}"),
        _ => string.Create(CultureInfo.InvariantCulture, $"0x{frame.InstructionPointer:x}"),
    };

    /// <summary>A second moment is what one dump lacks.</summary>
    public static string SecondDump(AnalysisContext context)
    {
        CaptureTarget target = context.Snapshot.CaptureTarget with { IsRepeated = false };
        CaptureKind hung = target.LivingProcess is null ? CaptureKind.DumpOfHungWindow : CaptureKind.LookAtHungWindow;
        return $"Take {CaptureKinds.Words(CaptureKind.TwoDumps, target, null)}, or {CaptureKinds.Words(hung, target, null)}. "
            + "The same frames again mean that it is stuck, not slow.";
    }
}
