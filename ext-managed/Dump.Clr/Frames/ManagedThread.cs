using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Frames;

/// <summary>A managed thread with its frames and the objects on its stack.</summary>
internal sealed class ManagedThread
{
    private const int MostRoots = 4_096;
    private const ulong BehindOutermost = 1_024;
    private readonly WalkedFrames _walk;
    private readonly Lazy<IReadOnlyList<StackReference>> _references;
    private readonly Lazy<IReadOnlyList<ManagedRoot>> _roots;
    private readonly Lazy<IReadOnlyList<ManagedRoot>> _interiors;
    private readonly Lazy<IReadOnlyList<ClrObject>> _inRegisters;
    private readonly Lazy<IReadOnlyList<ManagedFrame>> _knownCode;

    private ManagedThread(StackReader reader, ClrThread thread, WalkedFrames walk, bool isAvoided)
    {
        Thread = thread;
        _walk = walk;
        IsAvoided = isAvoided;
        Code = [.. Frames.Where(f => !f.IsMarker)];

        // The library walks the stack again to find them, and that call cannot be broken off: not where it would turn in a circle.
        _references = new Lazy<IReadOnlyList<StackReference>>(() => _walk.IsEndless || IsAvoided ? [] : reader.References(thread, Frames));
        _roots = new Lazy<IReadOnlyList<ManagedRoot>>(() => ReadRoots(interior: false));
        _interiors = new Lazy<IReadOnlyList<ManagedRoot>>(() => ReadRoots(interior: true));
        _knownCode = new Lazy<IReadOnlyList<ManagedFrame>>(() => !HasMethod && StubCaller.Of(thread) is { } caller ? [caller] : Code);
        _inRegisters = new Lazy<IReadOnlyList<ClrObject>>(() => ExecutesManagedCode || KnownCode != Code ? RegisterObjects.Of(thread) : []);
    }

    public ClrThread Thread { get; }

    public uint Id => Thread.OSThreadId;

    /// <summary>
    /// Where the part of its stack ends that the runtime uses: the base, or on Linux, where the library does not know that, a little behind the outermost
    /// frame; 0 when there is none.
    /// </summary>
    public ulong StackEnd => Thread.StackBase != 0 ? Thread.StackBase
        : Frames.Select(f => f.StackPointer).DefaultIfEmpty().Max() is not 0 and < ulong.MaxValue - BehindOutermost and var last ? last + BehindOutermost
        : 0;

    /// <summary>All frames, innermost first, markers included.</summary>
    public IReadOnlyList<ManagedFrame> Frames => _walk.Frames;

    /// <summary>Frames of managed methods, innermost first.</summary>
    public IReadOnlyList<ManagedFrame> Code { get; }

    /// <summary>
    /// The same, or where the walk gives nothing because the thread stands in a stub of the runtime, the one method that has called through the stub.
    /// </summary>
    public IReadOnlyList<ManagedFrame> KnownCode => _knownCode.Value;

    /// <summary>
    /// True when the runtime's own walk gave no method although an exception is in flight, or was the last time that the thread was in managed code. A thread
    /// that the runtime only knows, such as its finalizer or one that handles signals, gives no method either, but has thrown none.
    /// </summary>
    public bool IsWalkBroken => !HasMethod && Thread.CurrentException is not null;

    /// <summary>
    /// True when the runtime's own walk turned in a circle or broke off, or gave no method of a thread that is in managed code by the markers that it met or by
    /// its mode: outer frames and objects on the stack are unknown.
    /// </summary>
    public bool IsWalkCut =>
        _walk.IsCut || (!HasMethod && (Thread.GCMode == GCMode.Cooperative || Frames.Any(f => f is { IsMarker: true, IsEntryMarker: false })));

    /// <summary>
    /// True when the objects on the stack were not asked for, because an exception is being handled, or may
    /// be, and the library has crashed on this dump before.
    /// </summary>
    public bool IsAvoided { get; }

    /// <summary>True when an exception is in flight, or was when the thread was last in managed code.</summary>
    public bool MayThrow => Thread.CurrentException is not null || _walk.IsEndless || Frames.Any(f => f.IsExceptionMarker);

    /// <summary>True when the objects on the stack, or some of them, are unknown.</summary>
    public bool HasUnreadObjects => IsAvoided || IsWalkCut;

    /// <summary>True where the stack refers to more objects than are listed.</summary>
    public bool HasTooManyObjects => Roots.Count >= MostRoots || Interiors.Count >= MostRoots || _references.Value.Count >= StackReader.MostReferences;

    /// <summary>Objects that the stack refers to, in the order of the stack, innermost first; interior pointers excluded.</summary>
    public IReadOnlyList<ManagedRoot> Roots => _roots.Value;

    /// <summary>Objects that the stack refers into, for example to a struct inside of one.</summary>
    public IReadOnlyList<ManagedRoot> Interiors => _interiors.Value;

    /// <summary>True for a thread that executes a managed method, and neither waits nor is in native code. The objects of that method may be unknown.</summary>
    public bool ExecutesManagedCode => Frames is [{ IsMarker: false, Method: not null }, ..];

    /// <summary>Objects in the registers of a thread that executes a managed method, or a stub that it calls through: candidates for what this method uses.</summary>
    public IReadOnlyList<ClrObject> InRegisters => _inRegisters.Value;

    private bool HasMethod => Code.Any(f => f.Method is not null);

    /// <summary>Reads a thread.</summary>
    /// <param name="reader">Reads the stacks of its runtime.</param>
    /// <param name="thread">The runtime's thread.</param>
    /// <param name="mostFrames">Most frames to read.</param>
    /// <param name="isCareful">True to ask for no objects on stacks where an exception is being handled.</param>
    public static ManagedThread Read(StackReader reader, ClrThread thread, int mostFrames, bool isCareful)
    {
        var walk = WalkedFrames.Of(reader.Frames(thread, mostFrames));

        // Behind the limit on frames there may be such an exception as well.
        return new ManagedThread(
            reader, thread, walk, isCareful && (walk.IsCut || walk.Frames.Count >= mostFrames || walk.Frames.Any(f => f.IsExceptionMarker)));
    }

    private List<ManagedRoot> ReadRoots(bool interior)
    {
        List<ManagedRoot> roots = [];
        foreach (StackReference reference in _references.Value)
        {
            if (roots.Count < MostRoots && reference.IsInterior == interior && ObjectOf(reference) is { IsValid: true } target)
            {
                roots.Add(new ManagedRoot(target, reference.FrameStackPointer));
            }
        }

        return roots;
    }

    /// <summary>The object that a reference leads to or into; an interior one may also lead to a place that holds a reference, as one on a stack does.</summary>
    private ClrObject? ObjectOf(StackReference reference)
    {
        ClrHeap heap = Thread.Runtime.Heap;
        if (!reference.IsInterior)
        {
            return heap.GetObject(reference.Object);
        }

        ulong inside = heap.GetSegmentByAddress(reference.Object) is not null ? reference.Object
            : Thread.Runtime.DataTarget.DataReader.ReadPointer(reference.Object, out ulong held) && heap.GetSegmentByAddress(held) is not null ? held : 0;
        return inside == 0 ? null : heap.FindPreviousObjectOnSegment(inside + 1);
    }
}
