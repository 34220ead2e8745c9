using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Detectors;
using Dump.Analysis.Detectors.UserInterface;
using Dump.Analysis.UserInterface;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Completion;

/// <summary>
/// Single-threaded apartments whose thread waits without taking messages: calls into them wait. Many workers are in such an apartment without ever being
/// called, so that this is no finding by itself; it is said where the thread takes part in one.
/// </summary>
internal static class ClosedApartments
{
    /// <summary>
    /// The wait in which a thread of a single-threaded apartment takes no calls, or null: it is in no such apartment, takes messages, or will go on within a
    /// moment.
    /// </summary>
    public static WaitFact? WaitOf(AnalysisContext context, ThreadSnapshot thread) =>
        thread is { HasExited: false, Apartment.Kind: ComApartmentKind.SingleThreaded, Activity: { Kind: ThreadActivityKind.Waiting, SystemCall: { } call } }
        && !call.StartsWith("NtUser", StringComparison.Ordinal)
            ? context.Graph.WaitsOf(thread.Id).FirstOrDefault(w => w is { IsSatisfied: false, Grade: > Grade.Suspected, Resource.Kind: not ResourceKind.Work }
                && (w.Timeout == WaitTimeout.Infinite || w.Milliseconds >= UiBlockage.HungMilliseconds))
            : null;

    /// <summary>One claim for each such thread that takes part in a verdict, unless the verdict says the same of it as of a server of COM.</summary>
    public static IEnumerable<Claim> Claims(AnalysisContext context, Verdict verdict)
    {
        HashSet<uint> serving = [.. context.UiThreads.Where(u => u.ServesComCall).Select(u => u.Thread.Id)];
        foreach (ThreadSnapshot thread in verdict.Threads.Where(id => !serving.Contains(id)).Select(context.Thread).OfType<ThreadSnapshot>())
        {
            if (WaitOf(context, thread) is not null)
            {
                yield return new Claim(
                    $"{context.Names.ThreadCapitalised(thread.Id)} is in a single-threaded apartment of COM and does not take messages where it waits: calls "
                        + "into its apartment wait too.",
                    verdict.Confidence < Confidence.Likely ? verdict.Confidence : Confidence.Likely,
                    [thread.Apartment!.Evidence, .. thread.Activity.Evidence]);
            }
        }
    }

    /// <summary>To whom a call to another apartment may go whose server is unknown: the only other thread that is known to be in such a wait.</summary>
    public static Claim? Callee(AnalysisContext context, UiBlockage blockage)
    {
        if (blockage.Ui.ComWait is not { IsCall: true } || !blockage.Chain.IsEmpty || blockage.Wait?.Resource.Kind == ResourceKind.ComCall)
        {
            return null;
        }

        ThreadSnapshot[] others = [.. context.Snapshot.Threads.Where(t => !t.HasExited && t.Id != blockage.Ui.Thread.Id)];
        if (others.Any(
            t => t.Apartment?.Kind == ComApartmentKind.NotInDump
                || (t.Apartment?.Kind == ComApartmentKind.SingleThreaded && t.Activity.Kind != ThreadActivityKind.Waiting)))
        {
            // Another apartment is unknown, or takes no calls while its thread runs.
            return null;
        }

        return others.Where(t => WaitOf(context, t) is not null).ToArray() is not [var callee] ? null : new Claim(
            $"The call may be to {context.Names.Thread(callee.Id)}, the only other thread that is known to be in a single-threaded apartment and to take no "
                + $"calls where it waits; it {ActivityText.Of(context, callee.Id)}.",
            Confidence.Suspected,
            [callee.Apartment!.Evidence,
                new Evidence(EvidenceSource.Rule, "where a call goes that nobody executes yet is not known; it may be another process as well")]);
    }
}
