using System.Runtime.InteropServices;
using Dump.Readers.Minidump;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Frames;

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
