using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Graph;
using Dump.Analysis.Knowledge;
using Dump.Analysis.Spinning;
using Dump.Analysis.UserInterface;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Analysis.Detectors.UserInterface;

/// <summary>Why the handler of a thread with a message loop does not return, and the chain of waits behind it.</summary>
/// <param name="Ui">The thread.</param>
/// <param name="Kind">What keeps it.</param>
/// <param name="Wait">Its wait, or null when it executes code or only its stack shows that it waits.</param>
/// <param name="Chain">Edges from it to the thread that must act, best-graded first choice at each step; empty when no holder is known.</param>
public sealed record UiBlockage(UiThread Ui, UiBlockageKind Kind, WaitFact? Wait, ImmutableArray<WaitEdge> Chain)
{
    /// <summary>
    /// Waits shorter than what Windows calls hung (no message taken for 5 s: Microsoft Learn, IsHungAppWindow) do not make a window hang by themselves.
    /// </summary>
    public const int HungMilliseconds = 5000;

    /// <summary>The thread at the end of the chain; the thread itself when it has none.</summary>
    public uint Last => Chain.IsEmpty ? Ui.Thread.Id : Chain[^1].Holder;

    /// <summary>The blockage of a thread, or null when it handles nothing, is not blocked, or will go on by itself within a moment.</summary>
    public static UiBlockage? Of(AnalysisContext context, UiThread ui)
    {
        if (ui.State != UiThreadState.Handling)
        {
            return null;
        }

        WaitFact? wait = context.Graph.WaitsOf(ui.Thread.Id)
            .Where(w => w.Resource.Kind != ResourceKind.SpinLock
                || (w.Grade > Grade.Suspected && context.Graph.From(ui.Thread.Id).Any(e => e.Wait == w && e.Grade > Grade.Suspected)))
            .OrderByDescending(w => context.Graph.EdgeOf(w) is not null).ThenBy(w => w.IsSatisfied).ThenByDescending(w => w.Grade)
            .FirstOrDefault();
        if (wait is not null)
        {
            bool isShort = wait.IsSatisfied || wait is { Timeout: WaitTimeout.Finite, Milliseconds: { } limit } && limit < HungMilliseconds;
            return isShort ? null : new UiBlockage(ui, KindOf(wait.Resource.Kind), wait, ChainFrom(context, ui.Thread.Id, wait));
        }

        return ui.Thread.Activity.Kind switch
        {
            _ when ui.ComWait is not null => new UiBlockage(ui, UiBlockageKind.Call, null, []),
            ThreadActivityKind.Running or ThreadActivityKind.Yielding => new UiBlockage(ui, UiBlockageKind.Busy, null, []),

            // Of a thread that computes, a look that meets it in a system call has met a moment of that.
            ThreadActivityKind.SystemCall when IsInProcedure(ui) && !FileSystemCalls.Contains(ui.Thread.Activity.SystemCall)
                && ProcessorLoad.IsBusy(ui.Thread, context.Options) == true => new UiBlockage(ui, UiBlockageKind.Busy, null, []),
            ThreadActivityKind.Waiting or ThreadActivityKind.SystemCall or ThreadActivityKind.Sleeping or ThreadActivityKind.Idle when IsInProcedure(ui) =>
                new UiBlockage(ui, UiBlockageKind.Call, null, []),
            _ => null,
        };
    }

    /// <summary>What a wait for a kind of resource is to a handler.</summary>
    public static UiBlockageKind KindOf(ResourceKind kind) => ResourceKinds.Of(kind).Class switch
    {
        WaitClass.Lock => UiBlockageKind.Lock,
        WaitClass.Task => UiBlockageKind.Task,
        _ => UiBlockageKind.Call,
    };

    /// <summary>True when code stands between the system call and the pump that user32 called: a handler. What user32 does by itself is none.</summary>
    private static bool IsInProcedure(UiThread ui) =>
        ui.Thread.Stack.Frames.Take(ui.PumpIndex).Any(f => f.ModuleStem is not ("win32u" or "user32" or "ntdll"));

    private static ImmutableArray<WaitEdge> ChainFrom(AnalysisContext context, uint thread, WaitFact first)
    {
        ImmutableArray<WaitEdge>.Builder chain = ImmutableArray.CreateBuilder<WaitEdge>();
        HashSet<uint> seen = [thread];
        WaitEdge? edge = context.Graph.From(thread).FirstOrDefault(e => e.Wait == first && !e.Wait.IsWaitAny);
        while (edge is not null)
        {
            chain.Add(edge);
            edge = !seen.Add(edge.Holder) ? null
                : context.Graph.From(edge.Holder).Where(e => !e.Wait.IsWaitAny).OrderByDescending(e => e.Grade).FirstOrDefault();
        }

        return chain.ToImmutable();
    }
}

/// <summary>What keeps a handler from returning; each has its detector.</summary>
public enum UiBlockageKind
{
    /// <summary>A lock that a thread can hold.</summary>
    Lock,

    /// <summary>A managed task.</summary>
    Task,

    /// <summary>Any other wait: time, input or output, a signal, the end of a thread or process, an answer.</summary>
    Call,

    /// <summary>It executes code.</summary>
    Busy,
}
