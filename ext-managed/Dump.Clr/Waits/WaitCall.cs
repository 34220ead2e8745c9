using Dump.Clr.Frames;
using Dump.Clr.Locks;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Waits;

/// <summary>The wait at the top of a managed stack.</summary>
/// <param name="Function">The outermost method of the wait: what the program called.</param>
/// <param name="Run">The frames of the wait, innermost first; never empty.</param>
internal sealed record WaitCall(ManagedWaitFunction Function, IReadOnlyList<ManagedFrame> Run)
{
    /// <summary>The wait of a thread, or null when its innermost managed frame is none of the class library's waits.</summary>
    public static WaitCall? Find(ManagedThread thread) => Find(thread.Frames);

    /// <summary>The same by the frames alone.</summary>
    /// <param name="frames">The frames, innermost first, markers included.</param>
    internal static WaitCall? Find(IReadOnlyList<ManagedFrame> frames)
    {
        ManagedWaitFunction? outermost = null;
        List<ManagedFrame> run = [];
        foreach (ManagedFrame frame in frames)
        {
            if (ManagedWaitFunctions.Find(frame) is not { } function)
            {
                // Up to .NET 9 a wait inside of the runtime is a marker that names the method which entered it. Others name none, or, in optimised code, the
                // native function that the frame behind it calls.
                if (frame.IsMarker || frame.IsNativeCallStub)
                {
                    continue;
                }

                break;
            }

            outermost = function.Kind == ManagedWaitKind.Inner ? outermost : function;
            run.Add(frame);
        }

        return outermost is null ? null : new WaitCall(outermost, run);
    }

    /// <summary>
    /// True when nothing but the runtime's marker shows the wait, because optimised code has its methods inside of their caller's frame: objects there may be
    /// the caller's own.
    /// </summary>
    public bool IsInsideCaller => Run.All(f => f.MarkerName == ManagedFrame.NativeCallMarker);

    /// <summary>True when a monitor is entered by a <c>System.Threading.Lock</c> (.NET 11).</summary>
    public bool EntersLock => Run.Any(f => f is { TypeName: ManagedLockOwners.TypeName });

    /// <summary>True when the method that the program called takes no time limit, by its signature or by its nature.</summary>
    public bool HasNoTimeLimit => Function.HasNoTimeLimit(Run[^1].Method?.Signature);

    /// <summary>
    /// True for a wait that the class library makes of many short ones, so that the limit of the one at hand says nothing: <c>Barrier</c> and what polls.
    /// </summary>
    public bool IsSliced =>
        Function.Kind is ManagedWaitKind.SpinLock or ManagedWaitKind.Callback
        || Run.Any(f => f is { TypeName: "System.Threading.Barrier", MethodName: "DiscontinuousWait" });

    /// <summary>
    /// True for a wait for tasks that was given a cancellation token which can be cancelled: while it waits, the wait's frames keep their registration with the
    /// token (dotnet/runtime, src/libraries/System.Private.CoreLib/src/System/Threading/ManualResetEventSlim.cs, Wait). Who cancels the token ends the wait.
    /// </summary>
    /// <param name="thread">The thread that waits.</param>
    public bool MayBeCancelled(ManagedThread thread) => Function.Kind is ManagedWaitKind.Task or ManagedWaitKind.AllTasks or ManagedWaitKind.AnyTask
        && Objects(thread).Any(o => o.Type?.Name == "System.Threading.CancellationTokenSource+CallbackNode");

    /// <summary>How the thread wants to enter a reader-writer lock.</summary>
    public ReaderWriterLockMode Mode => Run.Select(f => ManagedWaitFunctions.ModeOf(f.MethodName)).FirstOrDefault(m => m != ReaderWriterLockMode.Write);

    /// <summary>Objects that the frames of the wait refer to, in the order of the stack.</summary>
    public IEnumerable<ClrObject> Objects(ManagedThread thread)
    {
        ulong outer = Run[^1].StackPointer;
        return thread.Roots.Where(r => r.FrameStackPointer is { } sp && sp <= outer).Select(r => r.Object);
    }

    /// <summary>The methods of the wait for people, innermost first.</summary>
    public string Text() => string.Join(" < ", Run.Take(4).Select(f => $"{f.TypeName}.{f.MethodName}"));
}
