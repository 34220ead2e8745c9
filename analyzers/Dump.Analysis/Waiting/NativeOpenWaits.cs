using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Knowledge;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Waiting;

/// <summary>
/// What the threads of a Linux process without .NET wait for, grouped by what it is and by the innermost function of the program: nothing owns most of it, so
/// that one look never shows whether it ends, and the list says what there is to look at.
/// </summary>
internal sealed class NativeOpenWaits : IOpenWaitRule
{
    private const int MostGroups = 1_000;
    private const string RingCall = "io_uring_enter";
    private static readonly string[] s_signalCalls = ["rt_sigsuspend", "rt_sigtimedwait", "pause"];

    /// <summary>True for a process whose threads are all native, with stacks or with waits that are known without them.</summary>
    public static bool Judges(ProcessSnapshot snapshot) =>
        snapshot.System.Family == OperatingSystemFamily.Linux && snapshot.ThreadPool is null && snapshot.Threads.All(t => t.ManagedId is null)
            && (snapshot.Threads.Any(t => t.Stack.Frames.Length > 1) || !snapshot.Waits.IsEmpty)
            && !snapshot.Modules.Any(m => m.IsDotNetRuntime);

    /// <summary>One wait for each group, of its first thread; those of judged threads are left out.</summary>
    public IEnumerable<OpenWait> Find(OpenWaitScope scope)
    {
        AnalysisContext context = scope.Context;
        return context.Snapshot.Threads.Where(t => !t.HasExited && !scope.Judged.Contains(t.Id) && (Stands(t) || Spins(context, t))).OrderBy(t => t.Id)
            .Select(t => (Thread: t, Wait: context.Graph.FirstWaitOf(t.Id), Own: context.Application.Innermost(t.Stack.Frames)))
            .GroupBy(t => (Kind: t.Wait?.Resource.Kind, Identity: t.Wait?.Resource.Identity, t.Wait?.Timeout, t.Wait?.Milliseconds,
                t.Thread.Activity.SystemCall, Function: Place(t.Thread, t.Own)))
            .Take(MostGroups)
            .Select(g => Of(context, g.First(), [.. g.Skip(1).Select(t => t.Thread.Id)]));
    }

    private static bool Stands(ThreadSnapshot thread) =>
        thread.Activity.Kind is ThreadActivityKind.Waiting or ThreadActivityKind.Sleeping or ThreadActivityKind.SystemCall;

    /// <summary>True for a thread that executes code because it waits.</summary>
    private static bool Spins(AnalysisContext context, ThreadSnapshot thread) =>
        context.Graph.FirstWaitOf(thread.Id) is { Resource.Kind: ResourceKind.PthreadSpinLock };

    /// <summary>The function, or where it begins; without either the very address.</summary>
    public static string Place(ThreadSnapshot thread, int? own) => own is not { } index ? ""
        : thread.Stack.Frames[index] is { Function: { } function } frame ? $"{frame.Module}!{function}"
        : $"0x{thread.Stack.Frames[index].FunctionStart ?? thread.Stack.Frames[index].InstructionPointer:x}";

    private static OpenWait Of(AnalysisContext context, (ThreadSnapshot Thread, WaitFact? Wait, int? Own) first, ImmutableArray<uint> others)
    {
        (ThreadSnapshot thread, WaitFact? wait, int? own) = first;
        return OpenWaits.At(OpenWaitKind.NativeThreads, thread, null, Activity(context, thread, wait), wait, own) with
        {
            Resource = wait is null ? null : new Resource(wait.Resource.Kind, wait.Resource.Identity),
            Others = others,
            LeavesUndecided = wait is { Timeout: not WaitTimeout.Finite, IsSatisfied: false, IsForNewWork: false, Resource.Kind: not ResourceKind.Work }
                && !PoolWorkers.IsIdle(thread, context.Graph.WaitsOf(thread.Id)),
        };
    }

    private static string Activity(AnalysisContext context, ThreadSnapshot thread, WaitFact? wait) => wait switch
    {
        _ when PoolWorkers.IsIdle(thread, context.Graph.WaitsOf(thread.Id)) => "waits for a job of its pool, as idle workers do",
        null when thread.Activity is { Kind: ThreadActivityKind.Waiting, SystemCall: "futex" } => "waits in the system call futex, for what is unknown",
        null when thread.Activity is { Kind: ThreadActivityKind.Waiting, SystemCall: { } call } => $"waits in the system call {call}",
        { Timeout: WaitTimeout.Finite, Resource.Kind: not ResourceKind.Work } => $"{ActivityText.Of(context, thread.Id)}, and goes on by itself",
        { Resource.Kind: ResourceKind.Work } when thread.Activity.SystemCall == RingCall =>
            $"waits for input or output through io_uring to complete, as idle programs do too{ActivityText.Limit(wait)}",
        { Resource.Kind: ResourceKind.Work } when s_signalCalls.Contains(thread.Activity.SystemCall) =>
            context.Snapshot.WithState(wait.Resource, "waits for a signal, as the first process of a server does"),
        { Resource.Kind: ResourceKind.Work } => context.Snapshot.WithState(wait.Resource,
            $"waits for any of its files to become ready, as idle programs do{ActivityText.Limit(wait)}")
                + (wait.Timeout == WaitTimeout.Finite ? ", and goes on by itself" : ""),
        _ => ActivityText.Of(context, thread.Id),
    };
}
