using System.Collections.Immutable;
using Dump.Model.Process;
using Dump.Model.Text;

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

    /// <summary>From a thread as it was read.</summary>
    public static ManagedThreadHalf Of(ManagedThread thread, string? name, ThreadActivity activity) =>
        new(thread.Id, thread.Thread.ManagedThreadId, name, activity, [.. thread.Code.Select(Frame)],
            thread.Thread.IsFinalizer)
        {
            IsWalkBroken = thread.IsWalkBroken, IsWalkCut = thread.IsWalkCut, IsAvoided = thread.IsAvoided, MayThrow = thread.MayThrow,
        };

    private static StackFrame Frame(ManagedFrame frame)
    {
        ulong? start = Start(frame);
        string? name = frame.Method is null ? null : MethodNames.Of(frame.Method);
        return new StackFrame(
            frame.InstructionPointer,
            frame.StackPointer,
            frame.ModuleName is { } module ? SafeText.Clean(module, 256) : null,
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
