using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Frames;

/// <summary>A managed thread with its frames and the objects on its stack.</summary>
internal sealed class ManagedThread
{
    private const int MostRoots = 4_096;
    private const string EntryMarker = "DebuggerU2MCatchHandlerFrame";
    private readonly Lazy<IReadOnlyList<ManagedRoot>> _roots;
    private readonly Lazy<IReadOnlyList<ManagedRoot>> _interiors;

    public ManagedThread(ClrThread thread, WalkedFrames walk)
    {
        Thread = thread;
        Frames = walk.Frames;
        IsWalkEndless = walk.IsEndless;
        Code = [.. Frames.Where(f => !f.IsMarker)];
        _roots = new Lazy<IReadOnlyList<ManagedRoot>>(() => ReadRoots(interior: false));
        _interiors = new Lazy<IReadOnlyList<ManagedRoot>>(() => ReadRoots(interior: true));
    }

    public ClrThread Thread { get; }

    public uint Id => Thread.OSThreadId;

    /// <summary>All frames, innermost first, markers included.</summary>
    public IReadOnlyList<ManagedFrame> Frames { get; }

    /// <summary>Frames of managed methods, innermost first.</summary>
    public IReadOnlyList<ManagedFrame> Code { get; }

    /// <summary>
    /// True when the runtime's own walk gave no method although the thread is in managed code: an exception is in flight, or markers inside managed code were met. A thread that the runtime only knows,
    /// such as its finalizer or one that handles signals, gives no method either, but has none of these.
    /// </summary>
    public bool IsWalkBroken => !Code.Any(f => f.Method is not null) && (Thread.CurrentException is not null || Frames.Any(f => f is { IsMarker: true, IsEntryMarker: false }));

    /// <summary>True when the runtime's own walk turned in a circle: outer frames and the objects on the stack are unknown.</summary>
    public bool IsWalkEndless { get; }

    /// <summary>Objects that the stack refers to, in the order of the stack, innermost first; interior pointers excluded.</summary>
    public IReadOnlyList<ManagedRoot> Roots => _roots.Value;

    /// <summary>Objects that the stack refers into, for example to a struct inside of one.</summary>
    public IReadOnlyList<ManagedRoot> Interiors => _interiors.Value;

    /// <summary>Reads a thread.</summary>
    /// <param name="thread">The runtime's thread.</param>
    /// <param name="mostFrames">Most frames to read.</param>
    public static ManagedThread Read(ClrThread thread, int mostFrames) => new(
        thread,
        WalkedFrames.Of(thread.EnumerateStackTrace(includeContext: false, maxFrames: mostFrames)
            .Select(f => new ManagedFrame(f.StackPointer, f.InstructionPointer, f.Method, f.Kind != ClrStackFrameKind.ManagedMethod) { IsEntryMarker = f.FrameName == EntryMarker })));

    // The library walks the stack again to find them, and that call cannot be broken off: not where it would turn in a circle.
    private IReadOnlyList<ManagedRoot> ReadRoots(bool interior) => IsWalkEndless ? [] :
    [
        .. Thread.EnumerateStackRoots()
            .Where(r => r.IsInterior == interior && r.Object.IsValid)
            .Take(MostRoots)
            .Select(r => new ManagedRoot(r.Object, r.StackFrame?.StackPointer)),
    ];
}
