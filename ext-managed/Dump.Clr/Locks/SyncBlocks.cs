using System.Buffers.Binary;
using Dump.Clr.Runtimes;
using Microsoft.Diagnostics.Runtime;
using Microsoft.Diagnostics.Runtime.AbstractDac;

namespace Dump.Clr.Locks;

/// <summary>The sync blocks of a process by their addresses, which the public list of sync blocks does not show.</summary>
internal sealed class SyncBlocks
{
    private const int MostSyncBlocks = 1_000_000;
    private readonly Dictionary<ulong, SyncBlockInfo> _byObject = [];
    private readonly IDataReader _memory;

    /// <summary>Lists them, those without an object left out.</summary>
    public SyncBlocks(ClrTarget target)
    {
        _memory = target.Target.DataReader;
        object? services = DataTarget.CreateDacServices(target.Info, target.DacPath, verifySignature: false);
        using IDisposable? disposable = services as IDisposable;
        if (services is IServiceProvider provider && provider.GetService(typeof(IAbstractHeap)) is IAbstractHeap heap)
        {
            foreach (SyncBlockInfo block in heap.EnumerateSyncBlocks().Take(MostSyncBlocks).Where(b => b.Object != 0))
            {
                _byObject.TryAdd(block.Object, block);
            }
        }
    }

    /// <summary>The objects by the addresses of their sync blocks.</summary>
    public Dictionary<ulong, ulong> ObjectsByAddress()
    {
        Dictionary<ulong, ulong> objects = [];
        foreach (SyncBlockInfo block in _byObject.Values)
        {
            objects.TryAdd(block.Address, block.Object);
        }

        return objects;
    }

    /// <summary>
    /// The system's id of the thread that entered an object's monitor: of the one that had the managed id when the sync block was made, where that happened
    /// later. Null where the runtime stores none or it cannot be read.
    /// </summary>
    public uint? SystemIdOfOwner(ulong address)
    {
        byte[] bytes = new byte[AwareLockLayout.Size];
        return _memory.PointerSize == sizeof(ulong) && _byObject.TryGetValue(address, out SyncBlockInfo block)
            && _memory.Read(block.Address, bytes) == bytes.Length
            && (BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(AwareLockLayout.Index)) & AwareLockLayout.IndexMask) == block.Index
            && BinaryPrimitives.ReadUInt64LittleEndian(bytes.AsSpan(AwareLockLayout.SystemId)) is > 0 and <= uint.MaxValue and var id ? (uint)id : null;
    }
}
