using System.Collections.Concurrent;
using Dump.Clr.Heap;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Collections;

/// <summary>A reference field of nodes, by the type that each node has. Safe for concurrent use.</summary>
internal sealed class NodeFields(ClrRuntime runtime, Lock runtimeLock, params string[] names)
{
    private const int MostTypes = 64;
    private readonly ConcurrentDictionary<ulong, int> _offsets = [];

    /// <summary>Reads the field of a node.</summary>
    /// <param name="memory">Where the node lies.</param>
    /// <param name="node">Address of the node.</param>
    /// <exception cref="MissingMemoryException">It cannot be read, or the object is no such node.</exception>
    public ulong Read(CollectionMemory memory, ulong node)
    {
        ulong methodTable = memory.Pointer(node) & MethodTableLayout.PointerMask;
        if (!_offsets.TryGetValue(methodTable, out int offset))
        {
            offset = Find(methodTable) ?? throw new MissingMemoryException($"the object at 0x{node:x} is no node");
            if (_offsets.Count < MostTypes)
            {
                _offsets.TryAdd(methodTable, offset);
            }
        }

        return memory.Pointer(node + (ulong)offset);
    }

    private int? Find(ulong methodTable)
    {
        lock (runtimeLock)
        {
            return runtime.GetTypeByMethodTable(methodTable) is { } type ? FieldOffsets.Of(type, names) : null;
        }
    }
}
