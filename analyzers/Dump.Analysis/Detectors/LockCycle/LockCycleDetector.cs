using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Detectors.MutualSpin;
using Dump.Analysis.Detectors.OrphanedLock;
using Dump.Analysis.Graph;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Detectors.LockCycle;

/// <summary>DUMP1002: a cycle of waits that has nothing to do with the loader.</summary>
public sealed class LockCycleDetector : IDetector
{
    /// <inheritdoc/>
    public DetectorDescriptor Descriptor { get; } = new(
        "DUMP1002",
        "Lock-cycle deadlock",
        "Threads wait for each other's locks in a cycle.",
        "stacks, the memory of the locks, handle data for kernel objects",
        DetectorFamily.Lock);

    /// <inheritdoc/>
    public DetectorOutcome Detect(AnalysisContext context)
    {
        IEnumerable<Verdict> verdicts = context.Cycles
            .Where(c => !c.Edges.Any(e => e.Resource.Facts.IsLoader) && !MutualSpinDetector.IsOfSpinLocks(c) && !IsParked(context, c))
            .Select(c => Judge(context, c))
            .Concat(AsyncCycles.Find(context, Descriptor));
        return DetectorOutcomes.From(
            Descriptor,
            verdicts,
            [.. NecessaryData.Stacks(context.Snapshot), .. NecessaryData.Locks(context.Snapshot), .. NecessaryData.Handles(context.Snapshot),
                .. NecessaryData.UnknownOwners(context.Snapshot), .. NecessaryData.OwnersElsewhere(context.Snapshot)]);
    }

    /// <summary>True where the first thread of a .NET program waits for its own end: so programs are parked that work on other threads.</summary>
    private static bool IsParked(AnalysisContext context, WaitCycle cycle) =>
        cycle.Edges is [{ Resource.Kind: ResourceKind.Thread } only] && context.Thread(only.Waiter) is { } thread && EntryMethod.IsUnder(thread);

    private Verdict Judge(AnalysisContext context, WaitCycle found)
    {
        WaitEdge[] handedOver = [.. found.Edges.Where(e => e.Ownership.OthersMayRelease)];
        uint[] others = found.Grade != Grade.Proven || handedOver.Length == 0 ? []
            : [.. context.Snapshot.Threads.Where(t => !found.Component.Contains(t.Id) && context.ActsByItself(t)).Select(t => t.Id)];
        return others.Length == 0 ? Judge(context, found, []) : Judge(context, found with { Grade = Grade.Derived },
        [
            new Claim(
                (handedOver.Length == 1 ? $"{Naming.Capitalised(context.Names.Resource(handedOver[0].Resource))} does not check who releases it, and "
                    : $"{CountText.Of(handedOver.Length, "lock")} of the cycle do not check who releases them, and ")
                    + (others.Length == 1 ? $"{context.Names.Thread(others[0])} goes on outside of the cycle." : $"{others.Length} threads go on outside of the cycle."),
                VerdictParts.Confidence(Grade.Derived),
                [.. handedOver.SelectMany(e => e.Ownership.Evidence)]),
        ]);
    }

    private Verdict Judge(AnalysisContext context, WaitCycle cycle, ImmutableArray<Claim> doubts)
    {
        Claim[] handlers = [.. cycle.Edges.Select(e => InHandler(context, e)).OfType<Claim>()];
        Verdict verdict = Cycle(context, cycle, [.. handlers, .. doubts]);
        return handlers.Length == 0 ? verdict : verdict with
        {
            Title = cycle.Edges.Length == 1 && cycle.Grade > Grade.Suspected ? "Lock taken again in a signal handler" : verdict.Title,
            Remedies =
            [
                "Call in a signal handler only what signal-safety(7) allows: no malloc, no printf, no log, no lock. Let it set a flag or write to a pipe "
                    + "(signalfd(2), the self-pipe trick), and do the work outside of it.",
                .. cycle.Edges.Length == 1 ? [] : verdict.Remedies,
            ],
        };
    }

    /// <summary>That a thread waits inside of a handler of signals, and for whose code: that goes on only when the handler returns.</summary>
    private static Claim? InHandler(AnalysisContext context, WaitEdge edge)
    {
        ImmutableArray<StackFrame> frames = context.Thread(edge.Waiter)?.Stack.Frames ?? [];
        if (frames.FirstOrDefault(f => f.IsOfSignal) is not { } signal || frames.IndexOf(signal) + 1 is var next && next >= frames.Length)
        {
            return null;
        }

        (string code, SourceLocation? source) = FrameWords.Own(frames[next]);
        return new Claim(
            $"{context.Names.ThreadCapitalised(edge.Waiter)} waits inside of a handler of {LinuxSignals.NameOf(signal.Signal)}, which interrupted "
                + $"{code}{FrameWords.Source(source)}. That code goes on only when the handler returns.",
            Confidence.Confirmed,
            [new Evidence(EvidenceSource.Stack, $"frame {next - 1} was made by the kernel for the handler", signal.StackPointer)]);
    }

    private Verdict Cycle(AnalysisContext context, WaitCycle cycle, ImmutableArray<Claim> doubts) => new()
    {
        DetectorId = Descriptor.Id,
        Title = VerdictParts.CycleTitle(cycle, Descriptor.Title),
        Confidence = VerdictParts.Confidence(cycle.Grade),
        Claims = [.. CycleSentences.Claims(context.Names, cycle), .. doubts],
        Chain = [.. cycle.Edges.Select(e => VerdictParts.Link(context, e))],
        Threads = cycle.Component,
        Stacks = [.. cycle.Edges.Select(e => VerdictParts.Excerpt(context, e.Waiter, $"waits for {context.Names.Resource(e.Resource)}"))],
        Victims = VerdictParts.Victims(context, cycle.Component),
        Remedies = cycle.Edges.Length == 1
            ?
            [
                "Do not wait in a thread for what only this thread can end: no thread can join itself, and a lock that is not recursive must not be taken "
                    + "twice.",
            ]
            : cycle.Edges.Any(e => e.Resource.Kind == ResourceKind.WindowMessage) ?
            [
                "Do not wait in a message handler for a thread that sends messages to the handler's window: let that thread post its result (PostMessage), or "
                    + "give it a time limit (SendMessageTimeout).",
            ]
            :
            [
                "Take these locks in one fixed order everywhere, or replace them by one lock.",
                "Do not call foreign code (callbacks, loaders, other components) while holding one of them.",
                .. cycle.Edges.Any(e => e.IsLeftByIdAlone) ? OwnerByIdAlone.Remedies : [],
            ],
    };
}
