using System.Numerics;
using System.Runtime.InteropServices;
using Dump.Clr.Heap;
using Dump.Clr.Tasks;
using Dump.Readers;

namespace Dump.Clr.Awaits;

/// <summary>
/// Which objects of a heap those who go on can reach, as a collection finds them, but that nobody has what an async method keeps before its await ends. Every
/// word of an object that has room for a reference counts as one, so that rather too many are reached. The heap is copied, for it is read in no order. Not safe
/// for concurrent use.
/// </summary>
internal sealed class ReachableObjects
{
    /// <summary>Bytes of the largest heap that is copied.</summary>
    public const ulong LargestHeap = 256 << 20;

    private const string WeakReference = "WeakReference";
    private const int WordBits = 64;

    private readonly Part[] _parts;
    private readonly HeapTypeTable _types;
    private readonly IAsyncTypes _known;
    private readonly HandleReferences _handles;
    private readonly AsyncNodes _nodes;
    private readonly AwaitGraph _graph;
    private readonly ILookup<int, int> _awaiters;
    private readonly bool[] _goesOn;
    private readonly Stack<ulong> _open = [];

    private ReachableObjects(
        Part[] parts, HeapTypeTable types, IAsyncTypes known, HandleReferences handles, AsyncNodes nodes, AwaitGraph graph)
    {
        (_parts, _types, _known, _handles, _nodes, _graph) = (parts, types, known, handles, nodes, graph);
        _goesOn = new bool[nodes.Count];
        _awaiters = Enumerable.Range(0, nodes.Count).Where(IsStopped).ToLookup(graph.Next);
    }

    /// <summary>Copies a heap; nothing of it is reached yet.</summary>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="segments">The heap.</param>
    /// <param name="types">Its types.</param>
    /// <param name="handles">What handles lead to.</param>
    /// <param name="nodes">Its pending tasks.</param>
    /// <param name="graph">Who awaits whom.</param>
    /// <param name="cancellation">Ends the walk.</param>
    /// <returns>Null where it is too large, or could not be walked.</returns>
    public static ReachableObjects? Read(
        IMemory memory, IReadOnlyList<HeapSegment> segments, IAsyncTypes types, HandleReferences handles, AsyncNodes nodes, AwaitGraph graph,
        CancellationToken cancellation)
    {
        HeapSegment[] filled = [.. segments.Where(s => s.End > s.Start).OrderBy(s => s.Start)];
        if (filled.Aggregate(0UL, (sum, s) => unchecked(sum + (s.End - s.Start))) > LargestHeap)
        {
            return null;
        }

        Part[] parts = [.. filled.Select(s => Part.Read(memory, s)).OfType<Part>()];
        if (parts.Length < filled.Length || parts.Zip(parts.Skip(1)).Any(p => p.Second.Start < p.First.End))
        {
            return null;
        }

        ReferenceSearch.EveryType every = new(types);
        Copy copy = new(parts, memory);
        return HeapWalk.Run(copy, filled, every, () => new Beginnings(parts), null, cancellation).Facts.Stops.IsEmpty
            ? new ReachableObjects(parts, new HeapTypeTable(new HeapTypeCache(copy, every)), types, handles, nodes, graph)
            : null;
    }

    /// <summary>True for an object that was reached.</summary>
    public bool IsReached(ulong address) => PartOf(address) is { } part && part.IsSet(part.Reached, address);

    /// <summary>Reaches the object that a word leads to or into, where there is one.</summary>
    public void Reach(ulong word)
    {
        if (PartOf(word) is { } part && part.BeginningOf(word) is { } address)
        {
            ReachObject(part, address);
        }
    }

    /// <summary>
    /// Reaches what everybody may have: the arrays that static variables lie in, and on .NET 9 and later those of threads, which no handle tells of; all that is
    /// never collected, what handles keep, and what weak handles lead to that no weak reference of the heap keeps.
    /// </summary>
    /// <param name="cancellation">Ends it.</param>
    public void ReachCommon(CancellationToken cancellation)
    {
        Dictionary<ulong, (bool IsStatic, bool IsWeak)> kinds = [];
        HashSet<ulong> kept = [];
        foreach (Part part in _parts)
        {
            bool isFrozen = _handles.Frozen.Contains(part.Start);
            foreach (ulong address in part.All())
            {
                cancellation.ThrowIfCancellationRequested();
                ulong table = part.Word(address) & MethodTableLayout.PointerMask;
                if (!kinds.TryGetValue(table, out (bool IsStatic, bool IsWeak) kind))
                {
                    string name = _known.Find(table)?.Name ?? "";
                    kinds.Add(table, kind = (name == ReferenceRoles.ObjectArray, name.StartsWith(WeakReference, StringComparison.Ordinal)));
                }

                if (isFrozen || kind.IsStatic)
                {
                    ReachObject(part, address);
                }

                foreach (ulong word in kind.IsWeak ? References(address) : [])
                {
                    kept.Add(word & HandleReferences.HandleMask);
                }
            }
        }

        foreach (ulong strong in _handles.Strong.Concat(_handles.Weak.Where(w => !kept.Contains(w.Key)).Select(w => w.Value)))
        {
            Reach(strong);
        }
    }

    /// <summary>Follows all references of what was reached, and of what is reached by that.</summary>
    /// <param name="cancellation">Ends it.</param>
    public void Follow(CancellationToken cancellation)
    {
        while (_open.TryPop(out ulong address))
        {
            cancellation.ThrowIfCancellationRequested();
            int node = _nodes.Find(address) is >= 0 and var found && _nodes[found].Address == address ? found : AwaitGraph.Nothing;
            if (node >= 0 && IsStopped(node) && !_goesOn[node])
            {
                continue;
            }

            // The delegate of a task that runs is called no second time, and its scheduler is out of reach of whoever has the task.
            bool isRun = node >= 0 && _nodes[node] is { IsMethod: false } task && (task.State & TaskFlags.Invoked) != 0;
            (ulong code, ulong scheduler) = isRun ? (_nodes[node].Awaited, Field(address, _nodes[node].Type.Scheduler)) : (0, 0);
            // Who has the delegate that continues a method can do so, whatever it awaits besides.
            bool continues = TypeAt(address) is { Kind: AsyncTypeKind.Callback or AsyncTypeKind.Continuation };
            foreach (ulong word in References(address))
            {
                if (word == 0 || word == code || word == scheduler)
                {
                    continue;
                }

                if (continues && _nodes.Find(word) is >= 0 and var continued && IsStopped(continued))
                {
                    GoOn(continued);
                }

                if (PartOf(word) is { } part)
                {
                    // References on the heap lead to objects, never into them.
                    if (part.IsSet(part.Begins, word))
                    {
                        ReachObject(part, word);
                    }
                }
                else if (_handles.Weak.TryGetValue(word & HandleReferences.HandleMask, out ulong target))
                {
                    Reach(target);
                }
            }

            foreach (ulong condition in _handles.Conditions[address])
            {
                Reach(condition);
            }

            foreach (int awaiter in node >= 0 ? _awaiters[node] : [])
            {
                GoOn(awaiter);
            }
        }
    }

    /// <summary>What an object refers to: the words of its fields and elements.</summary>
    public ReadOnlySpan<ulong> References(ulong address)
    {
        if (PartOf(address) is not { } part || !part.IsSet(part.Begins, address))
        {
            return [];
        }

        ref readonly HeapTypeTable.Slot type = ref _types.Find(part.Word(address) & MethodTableLayout.PointerMask);
        ulong room = part.End - address - sizeof(ulong), size = type.BaseSize;
        if (type.Special is { IsFree: true })
        {
            return [];
        }

        // Elements of fewer bytes hold no reference.
        if (type.ElementSize >= sizeof(ulong))
        {
            size += (uint)part.Word(address + MethodTableLayout.Length) * (ulong)type.ElementSize;
        }

        // The size counts the header in front of the object.
        ulong fields = size < 2 * sizeof(ulong) ? 0 : Math.Min(room, size - (2 * sizeof(ulong)));
        return part.Words.AsSpan((int)((address + sizeof(ulong) - part.Start) / sizeof(ulong)), (int)(fields / sizeof(ulong)));
    }

    /// <summary>The type of an object, or null.</summary>
    public AsyncType? TypeAt(ulong address) => PartOf(address) is { } part && part.IsSet(part.Begins, address)
        ? _known.Find(part.Word(address) & MethodTableLayout.PointerMask) : null;

    /// <summary>True for a pending task that somebody may complete.</summary>
    public bool MayComplete(int node) => IsStopped(node) ? _goesOn[node] : IsReached(_nodes[node].Address);

    /// <summary>A method that goes on once the task that it awaits is completed, and not before.</summary>
    private bool IsStopped(int node) => _nodes[node] is { IsMethod: true, State: >= 0 } && _graph.Next(node) >= 0;

    private void GoOn(int node)
    {
        ulong address = _nodes[node].Address;
        if (!_goesOn[node] && PartOf(address) is { } part && part.IsSet(part.Begins, address))
        {
            _goesOn[node] = true;
            part.Set(part.Reached, address);
            _open.Push(address);
        }
    }

    private void ReachObject(Part part, ulong address)
    {
        if (!part.IsSet(part.Reached, address))
        {
            part.Set(part.Reached, address);
            _open.Push(address);
        }
    }

    private ulong Field(ulong address, int offset) => offset >= 0 && PartOf(address) is { } part ? part.Word(address + (ulong)offset) : 0;

    private Part? PartOf(ulong address) => Part.Of(_parts, address);

    /// <summary>A copied segment, with a bit for each word: whether an object begins there, and whether it was reached.</summary>
    private sealed class Part(ulong start, ulong[] words)
    {
        public ulong Start => start;

        public ulong End { get; } = start + ((ulong)words.Length * sizeof(ulong));

        public ulong[] Words => words;

        public ulong[] Begins { get; } = new ulong[(words.Length / WordBits) + 1];

        public ulong[] Reached { get; } = new ulong[(words.Length / WordBits) + 1];

        public static Part? Read(IMemory memory, HeapSegment segment)
        {
            ulong[] words = new ulong[(segment.End - segment.Start) / sizeof(ulong)];
            Span<byte> bytes = MemoryMarshal.AsBytes(words.AsSpan());
            for (int done = 0; done < bytes.Length;)
            {
                int read = memory.Read(segment.Start + (ulong)done, bytes[done..]);
                if (read <= 0)
                {
                    return null;
                }

                done += read;
            }

            return segment.Start % sizeof(ulong) == 0 ? new Part(segment.Start, words) : null;
        }

        public static Part? Of(Part[] parts, ulong address)
        {
            int low = 0, high = parts.Length - 1;
            while (low <= high)
            {
                int middle = (low + high) / 2;
                if (address < parts[middle].Start)
                {
                    high = middle - 1;
                }
                else if (address >= parts[middle].End)
                {
                    low = middle + 1;
                }
                else
                {
                    return parts[middle];
                }
            }

            return null;
        }

        public ulong Word(ulong address) => (address - start) / sizeof(ulong) is var index && index < (ulong)words.Length ? words[index] : 0;

        public bool IsSet(ulong[] bits, ulong address)
        {
            ulong index = (address - start) / sizeof(ulong);
            return address % sizeof(ulong) == 0 && (bits[index / WordBits] >> (int)(index % WordBits) & 1) != 0;
        }

        public void Set(ulong[] bits, ulong address)
        {
            ulong index = (address - start) / sizeof(ulong);
            bits[index / WordBits] |= 1UL << (int)(index % WordBits);
        }

        /// <summary>Where the object begins that an address lies in or behind.</summary>
        public ulong? BeginningOf(ulong address)
        {
            ulong index = (address - start) / sizeof(ulong);
            int at = (int)(index / WordBits);
            ulong bits = Begins[at] & (ulong.MaxValue >> (WordBits - 1 - (int)(index % WordBits)));
            while (bits == 0 && at > 0)
            {
                bits = Begins[--at];
            }

            return bits == 0 ? null : start + (((ulong)at * WordBits) + (ulong)(WordBits - 1 - BitOperations.LeadingZeroCount(bits))) * sizeof(ulong);
        }

        public IEnumerable<ulong> All()
        {
            for (int at = 0; at < Begins.Length; at++)
            {
                for (ulong bits = Begins[at]; bits != 0; bits &= bits - 1)
                {
                    yield return start + (((ulong)at * WordBits) + (ulong)BitOperations.TrailingZeroCount(bits)) * sizeof(ulong);
                }
            }
        }
    }

    /// <summary>Notes where objects begin. A worker has whole segments.</summary>
    private sealed class Beginnings(Part[] parts) : IHeapVisitor
    {
        private Part? _last;

        public void Visit(ulong address, HeapType type)
        {
            if (_last is null || address < _last.Start || address >= _last.End)
            {
                _last = Part.Of(parts, address);
            }

            _last?.Set(_last.Begins, address);
        }
    }

    /// <summary>The copied heap, and all other memory of the process.</summary>
    private sealed class Copy(Part[] parts, IMemory memory) : IMemory
    {
        public int Read(ulong address, Span<byte> destination)
        {
            if (Part.Of(parts, address) is not { } part)
            {
                return memory.Read(address, destination);
            }

            ReadOnlySpan<byte> rest = MemoryMarshal.AsBytes(part.Words.AsSpan())[(int)(address - part.Start)..];
            rest = rest[..Math.Min(rest.Length, destination.Length)];
            rest.CopyTo(destination);
            return rest.Length;
        }
    }
}

/// <summary>
/// What leads into the heap besides stacks (dotnet/runtime, src/coreclr/gc/gcinterface.h, src/libraries/System.Private.CoreLib/src/System/WeakReference.cs): a weak
/// handle counts only for who has it where an object on the heap keeps it, which a weak reference does with flags in its lowest bits; who else has one, native
/// code for a delegate, is not seen. Dependent handles count for everybody: tables of them can be listed. The condition of a monitor, which the runtime of .NET 11
/// alone looks for, counts for who has the object.
/// </summary>
/// <param name="Strong">Objects that handles keep, or that everybody may have: what dependent handles lead from and to, what waits for a finalizer of the program.</param>
/// <param name="Weak">Objects by the address of their weak handle.</param>
/// <param name="Conditions">Conditions of monitors by their object.</param>
/// <param name="Frozen">Beginnings of the segments that are never collected, to whose objects machine code refers.</param>
internal sealed record HandleReferences(
    IReadOnlyCollection<ulong> Strong, IReadOnlyDictionary<ulong, ulong> Weak, ILookup<ulong, ulong> Conditions, IReadOnlySet<ulong> Frozen)
{
    /// <summary>Without the flags of a weak reference.</summary>
    public const ulong HandleMask = ~3UL;
}
