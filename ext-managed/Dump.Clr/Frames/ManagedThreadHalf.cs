using System.Collections.Immutable;
using Dump.Model.Process;
using Dump.Model.Text;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Frames;

/// <summary>What the runtime knows of one thread.</summary>
/// <param name="Id">Operating system id.</param>
/// <param name="ManagedId">Managed id.</param>
/// <param name="Name">Name that the program gave it, or null.</param>
/// <param name="Activity">What it does, by both halves.</param>
/// <param name="Frames">Frames of managed methods, innermost first; empty for a thread that runs none.</param>
/// <param name="IsFinalizer">True for the runtime's finalizer thread.</param>
internal sealed record ManagedThreadHalf(uint Id, int ManagedId, string? Name, ThreadActivity Activity, ImmutableArray<StackFrame> Frames, bool IsFinalizer)
{
    /// <summary>
    /// TS_ReportDead, "in WaitForOtherThreads()": dotnet/runtime, src/coreclr/vm/threads.h, the same from .NET Core 3.1 to .NET 10. The library has no name for
    /// it.
    /// </summary>
    private const ClrThreadState WaitsForOtherThreads = (ClrThreadState)0x0001_0000;

    /// <summary>True when it keeps the process alive: the runtime does not have it as a background thread. Null when unknown.</summary>
    public bool? IsForeground { get; init; }

    /// <summary>True when it has returned from <c>Main</c> and waits for the end of all foreground threads, as the runtime records.</summary>
    public bool HasReturnedFromMain { get; init; }

    /// <summary>True when the runtime's own walk gave no method although the thread has thrown an exception, perhaps just now.</summary>
    public bool IsWalkBroken { get; init; }

    /// <summary>True when an exception is in flight, or was when the thread was last in managed code.</summary>
    public bool MayThrow { get; init; }

    /// <summary>True when the runtime's own walk turned in a circle or broke off: outer frames and objects on the stack are unknown.</summary>
    public bool IsWalkCut { get; init; }

    /// <summary>
    /// True when the objects on the stack were not asked for, because an exception is being handled, or may
    /// be, and the library has crashed on this dump before.
    /// </summary>
    public bool IsAvoided { get; init; }

    /// <summary>
    /// Methods whose code words of the stack point into, innermost first, of a thread that the runtime cannot walk although it is in managed code: some may be
    /// left from earlier calls. Empty for others.
    /// </summary>
    public ImmutableArray<StackFrame> Found { get; init; } = [];

    /// <summary>From a thread as it was read.</summary>
    public static ManagedThreadHalf Of(ManagedThread thread, string? name, ThreadActivity activity, ManagedPlaces places)
    {
        // What the library's walk finds on such a stack is no frame.
        bool hasReturned = (thread.Thread.State & WaitsForOtherThreads) != 0;
        return new ManagedThreadHalf(
            thread.Id, thread.Thread.ManagedThreadId, name, activity, hasReturned ? [] : FramesOf(thread, places), thread.Thread.IsFinalizer)
        {
            IsForeground = (thread.Thread.State & ClrThreadState.TS_Background) == 0,
            HasReturnedFromMain = hasReturned,
            IsWalkBroken = thread.IsWalkBroken,
            IsWalkCut = thread.IsWalkCut,
            IsAvoided = thread.IsAvoided,
            MayThrow = thread.MayThrow,
        };
    }

    /// <summary>
    /// The frames of code. All addresses but that of a thread which was interrupted in the method itself, or has failed there, are those that calls return to.
    /// </summary>
    private static ImmutableArray<StackFrame> FramesOf(ManagedThread thread, ManagedPlaces places)
    {
        ImmutableArray<StackFrame>.Builder frames = ImmutableArray.CreateBuilder<StackFrame>(thread.Code.Count);
        bool isReturn = false;
        foreach (ManagedFrame frame in thread.Frames)
        {
            if (frame.IsMarker)
            {
                isReturn = !frame.IsFaultMarker;
                continue;
            }

            frames.Add(Frame(frame) with { Code = places.Of(frame, isReturn) });
            isReturn = true;
        }

        return frames.ToImmutable();
    }

    /// <summary>A frame in the words of a report.</summary>
    internal static StackFrame Frame(ManagedFrame frame)
    {
        ulong? start = Start(frame);
        string? name = frame.Described?.ReportedName;
        return new StackFrame(
            frame.InstructionPointer,
            frame.StackPointer,
            frame.Described?.ReportedModule,
            null,
            name,
            name is null || start is null ? null : frame.InstructionPointer - start,
            FrameTrust.UnwindInfo,
            name is null ? SymbolSource.None : SymbolSource.Metadata)
        {
            FunctionStart = start,
        };
    }

    /// <summary>
    /// Where the frame's function begins; unknown where the method was compiled anew while the frame was on
    /// the stack, because the runtime then names the new code.
    /// </summary>
    private static ulong? Start(ManagedFrame frame) =>
        frame.Method?.HotColdInfo is { HotStart: > 0 and var start, HotSize: var size } && frame.InstructionPointer >= start
            && frame.InstructionPointer - start < size ? start : null;
}
