using System.Runtime.InteropServices;
using Dump.Readers.Minidump;
using Microsoft.Diagnostics.Runtime;
using Microsoft.Diagnostics.Runtime.AbstractDac;

namespace Dump.Clr.Frames;

/// <summary>
/// Walks the managed stacks of a runtime. Idle threads stand at the same addresses: which method an address belongs to is asked of the data-access library once,
/// where ClrMD asks four times for each frame of each stack.
/// </summary>
/// <param name="runtime">The runtime, which must live longer.</param>
internal sealed class StackReader(ClrRuntime runtime) : IDisposable
{
    public const int MostReferences = 65_536;
    private readonly IAbstractThreadHelpers? _threads = RuntimeServices.Of<IAbstractThreadHelpers>(runtime);
    private readonly ListedThreads _listed = new(runtime);
    private readonly EqualStacks _equal = new(runtime);
    private readonly Dictionary<ulong, FrameMethod?> _byAddress = [];
    private readonly Dictionary<ulong, FrameMethod?> _byHandle = [];

    /// <summary>The frames of a thread, innermost first, markers included.</summary>
    /// <param name="thread">The thread.</param>
    /// <param name="most">Most frames to read.</param>
    public IEnumerable<ManagedFrame> Frames(ClrThread thread, int most) =>
        (_listed.Walk(thread.OSThreadId, most) ?? WalkById(thread.OSThreadId, most)).Select(f => f.Marker is { } marker
            ? new ManagedFrame(f.StackPointer, f.InstructionPointer, WithHandle(f.MarkedMethod), true) { MarkerName = marker }
            : new ManagedFrame(f.StackPointer, f.InstructionPointer, At(f.InstructionPointer), false));

    /// <summary>The references from a thread's stack and registers, innermost first.</summary>
    /// <param name="thread">The thread.</param>
    /// <param name="frames">Its frames.</param>
    public IReadOnlyList<StackReference> References(ClrThread thread, IReadOnlyList<ManagedFrame> frames) =>
        _equal.References(thread, frames, () => Ask(thread, frames));

    /// <summary>The same, asked of the library whatever is known of equal stacks.</summary>
    /// <param name="thread">The thread.</param>
    /// <param name="frames">Its frames.</param>
    public IReadOnlyList<StackReference> Ask(ClrThread thread, IReadOnlyList<ManagedFrame> frames)
    {
        List<StackReference> references = [];
        foreach (StackRootInfo root in _threads?.EnumerateStackRoots(thread.OSThreadId, traceErrors: false) ?? [])
        {
            if (references.Count == MostReferences)
            {
                break;
            }

            references.Add(new StackReference(root.Object, root.IsInterior, FrameOf(root, frames), root.Address));
        }

        return references;
    }

    /// <inheritdoc/>
    public void Dispose() => _listed.Dispose();

    private IEnumerable<LibraryFrame> WalkById(uint thread, int most) =>
        from frame in _threads?.EnumerateStackTrace(thread, includeContext: false, most, traceErrors: false) ?? []
        select new LibraryFrame(
            frame.InstructionPointer, frame.StackPointer, frame.IsInternalFrame ? frame.InternalFrameName ?? "" : null, frame.InnerMethodMethodHandle);

    /// <summary>One that a marker of the runtime holds belongs to the marker, whatever the stack pointer was when the walk came there.</summary>
    private static ulong FrameOf(StackRootInfo root, IReadOnlyList<ManagedFrame> frames) =>
        root.InternalFrame != 0
            && frames.FirstOrDefault(f => f.IsMarker && (f.StackPointer == root.StackPointer || f.StackPointer == root.InternalFrame)) is { } marker
            ? marker.StackPointer : root.StackPointer;

    private FrameMethod? At(ulong address)
    {
        ref FrameMethod? known = ref CollectionsMarshal.GetValueRefOrAddDefault(_byAddress, address, out bool isKnown);
        return isKnown ? known : known = runtime.GetMethodByInstructionPointer(address) is { } method ? new FrameMethod(method) : null;
    }

    private FrameMethod? WithHandle(ulong handle)
    {
        if (handle == 0)
        {
            return null;
        }

        ref FrameMethod? known = ref CollectionsMarshal.GetValueRefOrAddDefault(_byHandle, handle, out bool isKnown);
        return isKnown ? known : known = runtime.GetMethodByHandle(handle) is { } method ? new FrameMethod(method) : null;
    }
}

/// <summary>
/// References on stacks that are equal but for the objects, as those of idle threads are. For each stack the library walks all its frames again and reads the
/// tables that say where they keep references; these depend on nothing but the shape of the stack, so that of equal stacks few are asked for.
/// </summary>
/// <param name="runtime">The runtime.</param>
internal sealed class EqualStacks(ClrRuntime runtime)
{
    private const int MostShapes = 1_024;
    private readonly Dictionary<StackShape, KnownSlots> _known = [];
    private ulong[] _words = [];

    /// <summary>The references of a thread.</summary>
    /// <param name="thread">The thread.</param>
    /// <param name="frames">Its frames, innermost first.</param>
    /// <param name="ask">Asks the library for them, in its order.</param>
    public IReadOnlyList<StackReference> References(ClrThread thread, IReadOnlyList<ManagedFrame> frames, Func<IReadOnlyList<StackReference>> ask)
    {
        IDataReader memory = runtime.DataTarget.DataReader;
        if (thread.GCMode != GCMode.Preemptive || memory.Architecture != Architecture.X64 || frames is not [{ IsMarker: true }, ..] || _known.Count >= MostShapes
            || ThreadContext.Of(thread) is not { } context || ContextRegisters.Pointers(context, memory.Architecture) is not ({ }, { } stackPointer)
            || StackShape.Of(stackPointer, frames) is not { } shape || !TryRead(memory, shape, out ReadOnlySpan<ulong> stack))
        {
            return ask();
        }

        // A reference into an object may also lead to a variable on the stack.
        bool MayBe(ulong word) => (word >= shape.Start && word < shape.End) || runtime.Heap.GetSegmentByAddress(word) is not null;
        ref KnownSlots? slots = ref CollectionsMarshal.GetValueRefOrAddDefault(_known, shape, out _);
        slots ??= new KnownSlots();
        if (slots.Of(stack, shape.Start, MayBe) is { } known)
        {
            return known;
        }

        IReadOnlyList<StackReference> asked = ask();
        slots.Learn(stack, shape.Start, asked, MayBe);
        return asked;
    }

    private bool TryRead(IDataReader memory, StackShape shape, out ReadOnlySpan<ulong> stack)
    {
        int words = (int)((shape.End - shape.Start) / sizeof(ulong));
        if (_words.Length < words)
        {
            _words = new ulong[words];
        }

        stack = _words.AsSpan(0, words);
        Span<byte> bytes = MemoryMarshal.AsBytes(_words.AsSpan(0, words));
        return memory.Read(shape.Start, bytes) == bytes.Length;
    }
}

/// <summary>
/// What is known of the places on stacks of one shape: which hold references that the runtime reports, and which hold what only looks like some. A place that is
/// null says nothing, since the runtime reports it then neither way: so a stack is only told from others when each of its words that may be a reference lies
/// at a place that is known.
/// </summary>
internal sealed class KnownSlots
{
    private const int MostVariants = 8;
    private readonly HashSet<int> _unreported = [];
    private readonly List<Slot[]> _variants = [];
    private bool _isUnusable;

    /// <summary>Learns from a stack whose references the library has given.</summary>
    /// <param name="stack">Its words.</param>
    /// <param name="start">Where it begins.</param>
    /// <param name="references">The references, in the library's order.</param>
    /// <param name="mayBe">True for a word that may be a reference.</param>
    public void Learn(ReadOnlySpan<ulong> stack, ulong start, IReadOnlyList<StackReference> references, Func<ulong, bool> mayBe)
    {
        if (_isUnusable || _variants.Count == MostVariants)
        {
            return;
        }

        Slot[] slots = new Slot[references.Count];
        HashSet<int> reported = [];
        for (int i = 0; i < slots.Length; i++)
        {
            StackReference reference = references[i];
            ulong distance = reference.Address - start;
            if (reference.Address < start || distance % sizeof(ulong) != 0 || distance / sizeof(ulong) >= (ulong)stack.Length
                || stack[(int)(distance / sizeof(ulong))] != reference.Object)
            {
                // In a register, or in a place of the runtime's own.
                _isUnusable = true;
                return;
            }

            slots[i] = new Slot((int)(distance / sizeof(ulong)), reference.IsInterior, reference.FrameStackPointer - start);
            reported.Add(slots[i].Word);
        }

        _variants.Add(slots);
        _unreported.UnionWith(Candidates(stack, reported, mayBe));
        _isUnusable = _variants.Any(v => v.Any(s => _unreported.Contains(s.Word)));
    }

    /// <summary>The references of another stack of this shape; null where the library must be asked.</summary>
    /// <param name="stack">Its words.</param>
    /// <param name="start">Where it begins.</param>
    /// <param name="mayBe">True for a word that may be a reference.</param>
    public IReadOnlyList<StackReference>? Of(ReadOnlySpan<ulong> stack, ulong start, Func<ulong, bool> mayBe)
    {
        if (_isUnusable)
        {
            return null;
        }

        HashSet<int> open = Candidates(stack, _unreported, mayBe);
        foreach (Slot[] slots in _variants)
        {
            if (open.IsSubsetOf(slots.Select(s => s.Word)))
            {
                List<StackReference> references = new(slots.Length);
                foreach (Slot slot in slots)
                {
                    if (stack[slot.Word] is not 0 and var target)
                    {
                        references.Add(new StackReference(target, slot.IsInterior, start + slot.Frame, start + ((ulong)slot.Word * sizeof(ulong))));
                    }
                }

                return references;
            }
        }

        return null;
    }

    /// <summary>Places of words that may be references, besides those of which that is known.</summary>
    private static HashSet<int> Candidates(ReadOnlySpan<ulong> stack, HashSet<int> known, Func<ulong, bool> mayBe)
    {
        HashSet<int> candidates = [];
        for (int word = 0; word < stack.Length; word++)
        {
            if (stack[word] != 0 && !known.Contains(word) && mayBe(stack[word]))
            {
                candidates.Add(word);
            }
        }

        return candidates;
    }

    /// <param name="Word">Its place, in words from the start of the stack.</param>
    /// <param name="IsInterior">True when it may lead into an object.</param>
    /// <param name="Frame">Distance of the frame's stack pointer from the start of the stack.</param>
    private readonly record struct Slot(int Word, bool IsInterior, ulong Frame);
}

/// <summary>
/// What decides at which places of a stack the runtime's code keeps references: the address at which each frame stands, and the distances between the frames.
/// Threads of one shape have each reference at the same distance from their stack pointer.
/// </summary>
internal sealed class StackShape : IEquatable<StackShape>
{
    private const ulong LongestStack = 32 * 1024;
    private readonly ulong[] _numbers;
    private readonly int _hash;

    private StackShape(ulong start, ulong end, ulong[] numbers)
    {
        (Start, End, _numbers) = (start, end, numbers);
        HashCode hash = default;
        foreach (ulong number in numbers)
        {
            hash.Add(number);
        }

        _hash = hash.ToHashCode();
    }

    /// <summary>The stack pointer, native frames included.</summary>
    public ulong Start { get; }

    /// <summary>The marker behind the outermost frame: no frame keeps anything further out.</summary>
    public ulong End { get; }

    /// <summary>
    /// The shape of a thread that has called native code and is known from there to where the runtime entered managed code; null for others. One in managed
    /// code may have references in registers, markers of other kinds hold some of their own, and an exception leaves frames that are not as they look.
    /// </summary>
    /// <param name="stackPointer">The thread's stack pointer, native frames included.</param>
    /// <param name="frames">Its frames, innermost first.</param>
    public static StackShape? Of(ulong stackPointer, IReadOnlyList<ManagedFrame> frames)
    {
        if (stackPointer % sizeof(ulong) != 0
            || frames is not [{ MarkerName: ManagedFrame.NativeCallMarker }, .., { IsEntryMarker: true, StackPointer: var end }] || end <= stackPointer || end - stackPointer > LongestStack || end % sizeof(ulong) != 0)
        {
            return null;
        }

        ulong[] numbers = new ulong[(frames.Count * 3) + 1];
        numbers[^1] = end - stackPointer;
        for (int i = 0; i < frames.Count; i++)
        {
            ManagedFrame frame = frames[i];
            if (frame.StackPointer < stackPointer || frame.StackPointer > end
                || (frame.IsMarker ? frame.MarkerName is not (ManagedFrame.NativeCallMarker or ManagedFrame.EntryMarker) : frame.Method is null))
            {
                return null;
            }

            (numbers[3 * i], numbers[(3 * i) + 1]) = (frame.InstructionPointer, frame.StackPointer - stackPointer);
            numbers[(3 * i) + 2] = !frame.IsMarker ? 0UL : frame.IsEntryMarker ? 1UL : 2UL;
        }

        return new StackShape(stackPointer, end, numbers);
    }

    /// <inheritdoc/>
    public bool Equals(StackShape? other) => other is not null && _hash == other._hash && _numbers.AsSpan().SequenceEqual(other._numbers);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as StackShape);

    /// <inheritdoc/>
    public override int GetHashCode() => _hash;
}

/// <summary>A reference from a stack or from the registers of its thread, as the data-access library gives it.</summary>
/// <param name="Object">Address that it leads to.</param>
/// <param name="IsInterior">True when it may lead into an object instead of to its start.</param>
/// <param name="FrameStackPointer">Stack pointer of the frame that it is reported for.</param>
/// <param name="Address">Where it lies; 0 for one in a register.</param>
internal readonly record struct StackReference(ulong Object, bool IsInterior, ulong FrameStackPointer, ulong Address);
