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
    public static WaitCall? Find(ManagedThread thread)
    {
        ManagedWaitFunction? outermost = null;
        List<ManagedFrame> run = [];
        foreach (ManagedFrame frame in thread.Frames)
        {
            // Up to .NET 9 a wait inside of the runtime is a marker frame that names the method which entered it; other markers name none.
            if (frame is { IsMarker: true, Method: null })
            {
                continue;
            }

            if (ManagedWaitFunctions.Find(frame) is not { } function)
            {
                break;
            }

            outermost = function;
            run.Add(frame);
        }

        return outermost is null ? null : new WaitCall(outermost, run);
    }

    /// <summary>True when the method that the program called takes no time limit, by its signature or by its nature.</summary>
    public bool HasNoTimeLimit => Function.HasNoTimeLimit(Run[^1].Method?.Signature);

    /// <summary>
    /// True for a wait that the class library makes of many short ones, so that the limit of the one at hand says nothing: <c>Barrier</c> and what polls.
    /// </summary>
    public bool IsSliced =>
        Function.Kind == ManagedWaitKind.SpinLock || Run.Any(f => f is { TypeName: "System.Threading.Barrier", MethodName: "DiscontinuousWait" });

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
