using System.Buffers.Binary;
using Dump.Clr.Heap;
using Dump.Clr.Tasks;
using Dump.Readers;

namespace Dump.Clr.Awaits;

/// <summary>Follows what goes on when a task completes to the tasks that then go on.</summary>
internal sealed class Continuations(IMemory memory, IAsyncTypes types, AsyncNodes nodes)
{
    private const int DeepestContinuation = 4;
    private const int LongestList = 1 << 20;
    private const int LargestObject = 256;

    // Of all lists together: more than all tasks of a sound heap are in.
    private long _listed = 50_000_000;

    /// <summary>Adds the indices of the tasks that a continuation leads to.</summary>
    public void Follow(ulong continuation, List<int> found) => Follow(continuation, found, 0);

    private void Follow(ulong at, List<int> found, int depth)
    {
        if (at == 0 || depth > DeepestContinuation)
        {
            return;
        }

        if (nodes.Find(at) is >= 0 and var node)
        {
            found.Add(node);
            return;
        }

        Span<byte> bytes = stackalloc byte[LargestObject];
        if (TypeAt(at) is not { Size: > 0 and <= LargestObject } type || !memory.TryRead(at, bytes[..type.Size]))
        {
            return;
        }

        switch (type.Kind)
        {
            case AsyncTypeKind.Callback or AsyncTypeKind.Continuation when type.Callback >= 0:
                Follow(BinaryPrimitives.ReadUInt64LittleEndian(bytes[type.Callback..]), found, depth + 1);
                break;
            case AsyncTypeKind.TaskContinuation when type.Link >= 0:
                Follow(BinaryPrimitives.ReadUInt64LittleEndian(bytes[type.Link..]), found, depth + 1);
                break;
            case AsyncTypeKind.ContinuationList when type.Link >= 0 && type.Count >= 0 && depth == 0:
                FollowList(BinaryPrimitives.ReadUInt64LittleEndian(bytes[type.Link..]), BinaryPrimitives.ReadInt32LittleEndian(bytes[type.Count..]), found);
                break;
        }
    }

    private void FollowList(ulong items, int count, List<int> found)
    {
        Span<byte> block = stackalloc byte[512];
        int length = (int)Math.Min((uint)Reference(items, MethodTableLayout.Length), LongestList);
        int left = (int)Math.Min(Math.Clamp(count, 0, length), Math.Max(0, _listed));
        _listed -= left;
        for (ulong at = items + MethodTableLayout.ArrayData; left > 0;)
        {
            int read = memory.Read(at, block[..Math.Min(block.Length, left * sizeof(ulong))]) / sizeof(ulong);
            for (int i = 0; i < read; i++)
            {
                Follow(BinaryPrimitives.ReadUInt64LittleEndian(block[(i * sizeof(ulong))..]), found, 1);
            }

            at += (ulong)read * sizeof(ulong);
            left = read == 0 ? 0 : left - read;
        }
    }

    /// <summary>The type of the object at an address, or null when there is none.</summary>
    public AsyncType? TypeAt(ulong at)
    {
        Span<byte> word = stackalloc byte[sizeof(ulong)];
        return at % MethodTableLayout.Alignment == 0 && memory.TryRead(at, word)
            ? types.Find(BinaryPrimitives.ReadUInt64LittleEndian(word) & MethodTableLayout.PointerMask)
            : null;
    }

    /// <summary>How often the object of an await has been used, where one serves many after each other; else 0.</summary>
    public int UseOf(ulong at)
    {
        Span<byte> number = stackalloc byte[sizeof(short)];
        return TypeAt(at) is { Use: >= 0 } type && memory.TryRead(at + (ulong)type.Use, number) ? BinaryPrimitives.ReadInt16LittleEndian(number) : 0;
    }

    /// <summary>True for a task that has completed, false for one that has not; null for what is no task or cannot be read.</summary>
    public bool? IsCompleted(ulong at)
    {
        Span<byte> flags = stackalloc byte[sizeof(int)];
        return TypeAt(at) is { Kind: AsyncTypeKind.Method or AsyncTypeKind.Task, Flags: >= 0 } type && memory.TryRead(at + (ulong)type.Flags, flags)
            ? (BinaryPrimitives.ReadInt32LittleEndian(flags) & TaskFlags.Completed) != 0
            : null;
    }

    /// <summary>What a state machine that is an object of its own awaits; 0 for nothing.</summary>
    public ulong AwaitedByMachine(ulong machine, AsyncType type) => type.Awaiters.Select(a => Reference(machine, a)).FirstOrDefault(r => r != 0);

    /// <summary>A reference in an object, or 0 when it cannot be read.</summary>
    public ulong Reference(ulong at, int offset)
    {
        Span<byte> word = stackalloc byte[sizeof(ulong)];
        return offset >= 0 && memory.TryRead(at + (ulong)offset, word) ? BinaryPrimitives.ReadUInt64LittleEndian(word) : 0;
    }
}
