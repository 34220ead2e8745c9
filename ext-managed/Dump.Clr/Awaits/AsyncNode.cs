namespace Dump.Clr.Awaits;

/// <summary>A pending task, or the object of a pending async method.</summary>
/// <param name="Address">Its address.</param>
/// <param name="Awaited">What a method awaits, or the delegate of a task; 0 for nothing.</param>
/// <param name="Continuation">What goes on when it completes; 0 for nothing.</param>
/// <param name="Type">Its type.</param>
/// <param name="State">Number of the await of a method, or the flags of another task.</param>
internal readonly record struct AsyncNode(ulong Address, ulong Awaited, ulong Continuation, AsyncType Type, int State)
{
    /// <summary>In place of a continuation: it is kept in another way than a task keeps it.</summary>
    public const ulong ToldOtherwise = ulong.MaxValue;

    /// <summary>True for an async method.</summary>
    public bool IsMethod => Type.Kind is AsyncTypeKind.Method or AsyncTypeKind.PooledMethod or AsyncTypeKind.Machine;
}

/// <summary>All pending tasks, found by address: pieces of an array and an open-addressing table of indices, at most half full.</summary>
internal sealed class AsyncNodes
{
    /// <summary>How many nodes a piece has, a power of two.</summary>
    public const int ChunkSize = 1 << ChunkBits;

    private const int ChunkBits = 14;
    private const ulong Multiplier = 0x9E37_79B9_7F4A_7C15;
    private readonly List<AsyncNode[]> _chunks = [];
    private readonly int[] _table;
    private readonly int _shift;
    private readonly Dictionary<ulong, ulong> _iterators = [];

    /// <summary>Takes what the workers have collected.</summary>
    public AsyncNodes(IReadOnlyCollection<AsyncVisitor> visitors)
    {
        Count = visitors.Sum(v => v.Count);
        foreach (AsyncVisitor visitor in visitors)
        {
            _chunks.AddRange(visitor.Chunks.Take(visitor.Count / ChunkSize));
        }

        // Only the last piece of all is not full.
        AsyncNode[] rest = [.. visitors.SelectMany(v => v.Count % ChunkSize == 0 ? [] : v.Chunks[^1].Take(v.Count % ChunkSize))];
        _chunks.AddRange(rest.Chunk(ChunkSize));

        int bits = 4;
        while (1L << bits < 2L * Count)
        {
            bits++;
        }

        _table = new int[1 << bits];
        _shift = 64 - bits;
        for (int i = 0; i < Count; i++)
        {
            int slot = Slot(this[i].Address);
            while (_table[slot] != 0)
            {
                slot = (slot + 1) & (_table.Length - 1);
            }

            _table[slot] = i + 1;
        }

        foreach ((ulong machine, ulong task) in visitors.SelectMany(v => v.Iterators))
        {
            _iterators.TryAdd(machine, task);
        }
    }

    /// <summary>How many there are.</summary>
    public int Count { get; }

    /// <summary>One of them.</summary>
    public ref readonly AsyncNode this[int index] => ref _chunks[index >> ChunkBits][index & (ChunkSize - 1)];

    /// <summary>Index of the task at an address, or of that of the iterator whose state machine is there; -1 when there is none.</summary>
    public int Find(ulong address)
    {
        int found = FindTask(address);
        return found < 0 && _iterators.TryGetValue(address, out ulong task) ? FindTask(task) : found;
    }

    private int FindTask(ulong address)
    {
        for (int slot = Slot(address); _table[slot] != 0; slot = (slot + 1) & (_table.Length - 1))
        {
            if (this[_table[slot] - 1].Address == address)
            {
                return _table[slot] - 1;
            }
        }

        return -1;
    }

    private int Slot(ulong address) => (int)((address * Multiplier) >> _shift);
}
