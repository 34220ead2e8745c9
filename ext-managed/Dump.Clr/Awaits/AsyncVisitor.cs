using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Dump.Clr.Heap;
using Dump.Clr.Tasks;
using Dump.Readers;

namespace Dump.Clr.Awaits;

/// <summary>Collects what one worker of a walk meets. An object is read at once; nothing is kept of those that have completed.</summary>
internal sealed class AsyncVisitor(IMemory memory, IAsyncTypes types) : IHeapVisitor
{
    /// <summary>More pending tasks than any program has; 40 bytes each.</summary>
    private const int MostNodes = 20_000_000;
    private const int MostOthers = 1_000_000;
    private const int ChunkSize = AsyncNodes.ChunkSize;
    private readonly byte[] _object = new byte[AsyncTypes.LargestObject];
    private readonly byte[] _machine = new byte[AsyncTypes.LargestObject];
    private readonly List<(ulong Address, int State)> _calls = [];
    private readonly List<AsyncNode[]> _chunks = [];

    // Suspended calls of all tasks together that are followed: more than any program has. A damaged heap may lead from each task to the same long list.
    private int _callsLeft = 10_000_000;
    private int _last = ChunkSize;

    /// <summary>Pending tasks, in pieces of which the last is not full.</summary>
    public IReadOnlyList<AsyncNode[]> Chunks => _chunks;

    /// <summary>How many pending tasks there are.</summary>
    public int Count => _chunks.Count == 0 ? 0 : ((_chunks.Count - 1) * ChunkSize) + _last;

    /// <summary>State machines of iterators with their tasks: whoever awaits an iterator awaits its state machine.</summary>
    public List<(ulong Machine, ulong Task)> Iterators { get; } = [];

    /// <summary>Semaphores that are, or may be, waited for.</summary>
    public List<WaitedSemaphore> Semaphores { get; } = [];

    /// <summary>Completion sources with their tasks.</summary>
    public List<(ulong Source, ulong Task)> Sources { get; } = [];

    /// <summary>Arrays of the queues of the thread pool's workers.</summary>
    public List<ulong> Queues { get; } = [];

    /// <summary>Tasks that have failed, with where they keep the exception.</summary>
    public List<(ulong Task, AsyncType Type, ulong Contingent)> Faulted { get; } = [];

    /// <summary>How many objects could not be read, or were too many to keep.</summary>
    public long Unreadable { get; private set; }

    /// <inheritdoc/>
    public void Visit(ulong address, HeapType type)
    {
        AsyncType known = (AsyncType)type.Tag!;
        Span<byte> bytes = _object.AsSpan(0, known.Size);
        if (!memory.TryRead(address, bytes))
        {
            Unreadable++;
            return;
        }

        switch (known.Kind)
        {
            case AsyncTypeKind.Semaphore when Semaphores.Count < MostOthers:
                VisitSemaphore(address, known, bytes);
                break;
            case AsyncTypeKind.CompletionSource when Sources.Count < MostOthers * 4:
                Sources.Add((address, Reference(bytes, known.Link)));
                break;
            case AsyncTypeKind.WorkQueue when Queues.Count < MostOthers:
                Queues.Add(Reference(bytes, known.Link));
                break;
            case AsyncTypeKind.Method or AsyncTypeKind.Task:
                VisitTask(address, known, bytes);
                break;
            case AsyncTypeKind.PooledMethod:
                VisitMethod(address, known, bytes, AsyncNode.ToldOtherwise);
                break;
        }
    }

    private void VisitSemaphore(ulong address, AsyncType type, ReadOnlySpan<byte> bytes)
    {
        ulong first = Reference(bytes, type.Link);
        int blocked = Number(bytes, type.Blocked);
        if (first != 0 || blocked != 0)
        {
            Semaphores.Add(new WaitedSemaphore(address, Number(bytes, type.Count), first, blocked, Reference(bytes, type.Handle) != 0));
        }
    }

    private void VisitTask(ulong address, AsyncType type, ReadOnlySpan<byte> bytes)
    {
        int flags = Number(bytes, type.Flags);
        if ((flags & TaskFlags.Completed) != 0)
        {
            if ((flags & TaskFlags.Faulted) != 0 && Reference(bytes, type.Contingent) is not 0 and var contingent && Faulted.Count < MostOthers)
            {
                Faulted.Add((address, type, contingent));
            }

            return;
        }

        // While a task completes its continuation gives way to a mark; that it is no longer pending then does not matter here.
        ulong continuation = Reference(bytes, type.Continuation);
        if (type.Suspended >= 0 && Reference(bytes, type.Suspended) is not 0 and var first)
        {
            if (Suspended(address, first, continuation))
            {
                return;
            }

            Unreadable++;
        }

        if (type.Kind == AsyncTypeKind.Method)
        {
            VisitMethod(address, type, bytes, continuation);
        }
        else
        {
            Add(new AsyncNode(address, Reference(bytes, type.Callback), continuation, type, flags));
        }
    }

    /// <summary>Adds the calls of a task as one method.</summary>
    /// <returns>False where none of them has a name.</returns>
    private bool Suspended(ulong address, ulong first, ulong continuation)
    {
        Span<byte> call = stackalloc byte[RuntimeAsyncLayout.Size];
        ulong awaited = 0;
        _calls.Clear();
        ulong at = first;
        for (int i = 0; i < RuntimeAsyncLayout.MostCalls && at != 0 && _callsLeft > 0 && memory.TryRead(at, call);
            i++, at = Reference(call, RuntimeAsyncLayout.Next))
        {
            _callsLeft--;
            ulong table = BinaryPrimitives.ReadUInt64LittleEndian(call) & MethodTableLayout.PointerMask;
            if (i == 0 && types.Find(table) is { Kind: AsyncTypeKind.Continuation, Link: > 0 } link
                && memory.TryRead(at + (ulong)link.Link, _object.AsSpan(0, sizeof(ulong))))
            {
                awaited = Reference(_object.AsSpan(0, sizeof(ulong)), 0);
                continue;
            }

            Span<byte> place = _object.AsSpan(0, sizeof(ulong));
            if (memory.TryRead(Reference(call, RuntimeAsyncLayout.ResumeInfo) + RuntimeAsyncLayout.DiagnosticAddress, place)
                && Reference(place, 0) is not 0 and var code)
            {
                _calls.Add((code, Number(call, RuntimeAsyncLayout.State)));
            }
        }

        if (_calls.Count == 0 || types.OfSuspended(CollectionsMarshal.AsSpan(_calls)) is not var (method, state))
        {
            return false;
        }

        Add(new AsyncNode(address, awaited, continuation, method, state));
        return true;
    }

    private void VisitMethod(ulong address, AsyncType type, ReadOnlySpan<byte> bytes, ulong continuation)
    {
        if (type.Machine < 0)
        {
            AddMethod(address, type, bytes, continuation);
            return;
        }

        // Until the first await there is none.
        ulong at = Reference(bytes, type.Machine);
        if (at == 0)
        {
            return;
        }

        Span<byte> word = stackalloc byte[sizeof(ulong)];
        if (!memory.TryRead(at, word)
            || types.Find(BinaryPrimitives.ReadUInt64LittleEndian(word) & MethodTableLayout.PointerMask) is not { Kind: AsyncTypeKind.Machine } machine
            || !memory.TryRead(at, _machine.AsSpan(0, machine.Size)))
        {
            Unreadable++;
            return;
        }

        if (machine.IsIterator && Iterators.Count < MostOthers)
        {
            Iterators.Add((at, address));
        }

        bool isToldOtherwise = type.Kind == AsyncTypeKind.PooledMethod || machine.IsIterator;
        AddMethod(address, machine, _machine.AsSpan(0, machine.Size), isToldOtherwise ? AsyncNode.ToldOtherwise : continuation);
    }

    private void AddMethod(ulong address, AsyncType type, ReadOnlySpan<byte> machine, ulong continuation)
    {
        int state = Number(machine, type.State);
        ulong awaited = 0;
        foreach (int awaiter in type.Awaiters)
        {
            awaited = awaited == 0 ? Reference(machine, awaiter) : awaited;
        }

        // An object that is kept for reuse has no awaiter; an iterator that has yielded waits for its caller.
        bool isIdle = continuation == AsyncNode.ToldOtherwise && (type.IsIterator ? state < -1 : state < 0 || awaited == 0);
        if (!isIdle)
        {
            Add(new AsyncNode(address, awaited, continuation, type, state));
        }
    }

    private void Add(AsyncNode node)
    {
        if (Count >= MostNodes)
        {
            Unreadable++;
            return;
        }

        if (_last == ChunkSize)
        {
            _chunks.Add(new AsyncNode[ChunkSize]);
            _last = 0;
        }

        _chunks[^1][_last++] = node;
    }

    // Fields far behind in very large objects are not read.
    private static ulong Reference(ReadOnlySpan<byte> bytes, int offset) =>
        offset < 0 || offset + sizeof(ulong) > bytes.Length ? 0 : BinaryPrimitives.ReadUInt64LittleEndian(bytes[offset..]);

    private static int Number(ReadOnlySpan<byte> bytes, int offset) =>
        offset < 0 || offset + sizeof(int) > bytes.Length ? 0 : BinaryPrimitives.ReadInt32LittleEndian(bytes[offset..]);
}
