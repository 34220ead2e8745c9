using System.Buffers.Binary;
using System.Collections.Immutable;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Readers.Minidump;
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

/// <summary>
/// The <c>Thread</c> object of a thread: the thread static <c>Thread.t_currentThread</c>, and where a thread never asked for it (.NET fills it on first use)
/// the runtime's own handle to the object. Neither needs a walk over the heap.
/// </summary>
internal sealed class ManagedThreadObjects
{
    private const int MostHandles = 1_000_000;
    private readonly ClrThreadStaticField? _current;
    private readonly Lazy<IReadOnlyList<ClrObject>> _held;
    private readonly Lazy<Dictionary<int, ClrObject>> _byManagedId;

    public ManagedThreadObjects(ClrRuntime runtime)
    {
        _current = runtime.BaseClassLibrary?.GetTypeByName("System.Threading.Thread")?.ThreadStaticFields.FirstOrDefault(f => f.Name == "t_currentThread");
        _held = new Lazy<IReadOnlyList<ClrObject>>(() => ReadHandles(runtime));
        _byManagedId = new Lazy<Dictionary<int, ClrObject>>(() => ById(_held.Value));
    }

    /// <summary>The object, or null when it cannot be found.</summary>
    public ClrObject? Of(ClrThread thread)
    {
        if (_current is not null && _current.IsInitialized(thread) && _current.ReadObject(thread) is { IsNull: false, IsValid: true } target)
        {
            return target;
        }

        return _byManagedId.Value.TryGetValue(thread.ManagedThreadId, out ClrObject held) ? held : null;
    }

    /// <summary>Addresses of the runtime's records that the objects name (<c>Thread._DONT_USE_InternalThread</c>); 0 where an object names none.</summary>
    public IReadOnlyCollection<ulong> Records() =>
        [.. _held.Value.Select(t => t.TryReadField("_DONT_USE_InternalThread", out ulong record) ? record : 0).Distinct()];

    /// <summary>
    /// The threads whose end sets one of several events: from .NET 11 on <c>Thread.Join</c> waits for the event <c>Thread._joinEvent</c>, and its frames keep
    /// nothing else of the thread (seen in 11.0.0 on Linux).
    /// </summary>
    /// <param name="events">Addresses of the events' safe handles.</param>
    public IEnumerable<ClrObject> EndedBy(IEnumerable<ulong> events)
    {
        HashSet<ulong> wanted = [.. events];
        return wanted.Count == 0 ? []
            : _held.Value.Where(t => t.TryReadObjectField("_joinEvent", out ClrObject set) && set is { IsNull: false, IsValid: true }
                && set.TryReadObjectField("_waitHandle", out ClrObject handle) && wanted.Contains(handle.Address)).DistinctBy(t => t.Address);
    }

    private static IReadOnlyList<ClrObject> ReadHandles(ClrRuntime runtime) =>
        [.. runtime.EnumerateHandles().Take(MostHandles).Select(h => h.Object)
            .Where(o => o is { IsNull: false, IsValid: true, Type.Name: "System.Threading.Thread" })];

    private static Dictionary<int, ClrObject> ById(IReadOnlyList<ClrObject> objects)
    {
        Dictionary<int, ClrObject> threads = [];
        foreach (ClrObject thread in objects)
        {
            if (thread.TryReadField("_managedThreadId", out int id) && id > 0)
            {
                threads.TryAdd(id, thread);
            }
        }

        return threads;
    }
}

/// <summary>An object that a stack frame refers to.</summary>
/// <param name="Object">The object.</param>
/// <param name="FrameStackPointer">Stack pointer of the frame that the runtime reports it for, or null.</param>
internal readonly record struct ManagedRoot(ClrObject Object, ulong? FrameStackPointer);

/// <summary>
/// The frames of a runtime's walk, up to where it stops coming outwards. Of a thread that is throwing an exception the data-access library can report one
/// marker for ever (seen with .NET 10.0.12); asked for the objects on such a stack it never answers.
/// </summary>
/// <param name="Frames">The frames, innermost first.</param>
/// <param name="IsEndless">True when the walk turned in a circle, so that outer frames and the objects on the stack are unknown.</param>
internal sealed record WalkedFrames(IReadOnlyList<ManagedFrame> Frames, bool IsEndless)
{
    // Each method's frame lies further out than the one before; only markers of the runtime share a place, a handful at a time.
    private const int MostWithoutProgress = 256;

    /// <summary>
    /// True when it turned in a circle, or ended at a marker behind which a method must come: outer frames are unknown. Seen while an exception is in flight.
    /// </summary>
    public bool IsCut => IsEndless || Frames is [.., { IsExitMarker: true }];

    /// <summary>Takes the frames of a walk.</summary>
    /// <param name="walk">The walk, innermost frame first; it need not end.</param>
    public static WalkedFrames Of(IEnumerable<ManagedFrame> walk)
    {
        List<ManagedFrame> frames = [];
        int outermost = 0;
        foreach (ManagedFrame frame in walk)
        {
            frames.Add(frame);
            if (frame.StackPointer > frames[outermost].StackPointer)
            {
                outermost = frames.Count - 1;
            }
            else if (frames.Count - outermost > MostWithoutProgress)
            {
                return new WalkedFrames(frames[..(outermost + 1)], IsEndless: true);
            }
        }

        return new WalkedFrames(frames, IsEndless: false);
    }
}

/// <summary>
/// The method that a thread is in when it stands in a stub of the runtime between that method and one that it calls: the few instructions that look whether the
/// object of an interface call is of the expected type, for example. They belong to no method and no module and have no unwind data, so that the runtime's walk
/// gives nothing; the stack pointer is at the return address. Seen in a quarter of the looks at a loop that calls a comparer (.NET 10 on Linux, x64).
/// </summary>
internal static class StubCaller
{
    /// <summary>The method, as a frame at the place where the called one would return to; null for a thread that stands elsewhere, or where it is not known.</summary>
    /// <param name="thread">A thread whose walk gave no method.</param>
    public static ManagedFrame? Of(ClrThread thread)
    {
        ClrRuntime runtime = thread.Runtime;
        IDataReader memory = runtime.DataTarget.DataReader;
        Span<byte> word = stackalloc byte[sizeof(ulong)];
        if (thread.GCMode != GCMode.Cooperative || ThreadContext.Of(thread) is not { } context
            || ContextRegisters.Pointers(context, memory.Architecture) is not ({ } at, { } stack) || stack % sizeof(ulong) != 0
            || !ReturnAddress.MayBe(runtime, at) || IsOfModule(runtime, at) || runtime.GetMethodByInstructionPointer(at) is not null || memory.Read(stack, word) != word.Length)
        {
            return null;
        }

        ulong back = BinaryPrimitives.ReadUInt64LittleEndian(word);
        return ReturnAddress.MayBe(runtime, back) ? ReturnAddress.CallerAt(runtime, stack, back) : null;
    }

    private static bool IsOfModule(ClrRuntime runtime, ulong address) =>
        runtime.DataTarget.EnumerateModules().Any(m => address >= m.ImageBase && address - m.ImageBase < (ulong)Math.Max(0, m.ImageSize));
}
