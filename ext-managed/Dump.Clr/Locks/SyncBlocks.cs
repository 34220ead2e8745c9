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
    private readonly Lazy<Dictionary<ulong, ulong>> _objectsByLock;
    private readonly IDataReader _memory;
    private readonly ClrHeap _heap;

    /// <summary>Lists them, those without an object left out.</summary>
    public SyncBlocks(ClrTarget target)
    {
        _memory = target.Target.DataReader;
        _heap = target.Runtime.Heap;
        _objectsByLock = new Lazy<Dictionary<ulong, ulong>>(ReadLocks);
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

    /// <summary>True where monitors are managed code: from .NET 11 on, whose locks have conditions (dotnet/runtime pull request 118371).</summary>
    public static bool AreManagedLocks(ClrRuntime runtime) => runtime.BaseClassLibrary?.GetTypeByName("System.Threading.Condition") is not null;

    /// <summary>The <c>System.Threading.Lock</c> of an object's monitor (.NET 11); null where it has none or that cannot be read.</summary>
    public ClrObject? LockOf(ulong address) => _byObject.TryGetValue(address, out SyncBlockInfo block) ? LockOf(block) : null;

    /// <summary>The object whose monitor a <c>System.Threading.Lock</c> is (.NET 11), or null for one that the program has made itself.</summary>
    public ulong? ObjectOfLock(ulong address) => _objectsByLock.Value.TryGetValue(address, out ulong found) ? found : null;

    private Dictionary<ulong, ulong> ReadLocks()
    {
        Dictionary<ulong, ulong> objects = [];
        if (AreManagedLocks(_heap.Runtime))
        {
            foreach (SyncBlockInfo block in _byObject.Values)
            {
                if (LockOf(block) is { } found)
                {
                    objects.TryAdd(found.Address, block.Object);
                }
            }
        }

        return objects;
    }

    private ClrObject? LockOf(SyncBlockInfo block)
    {
        Span<byte> bytes = stackalloc byte[SyncBlockLockLayout.Size];
        return _memory.PointerSize == sizeof(ulong) && _memory.Read(block.Address, bytes) == bytes.Length
            && (BinaryPrimitives.ReadUInt32LittleEndian(bytes[SyncBlockLockLayout.Index..]) & SyncBlockLockLayout.IndexMask) == block.Index
            && BinaryPrimitives.ReadUInt64LittleEndian(bytes[SyncBlockLockLayout.Lock..]) is not 0 and var handle
            && _memory.ReadPointer(handle, out ulong address) && _heap.GetObject(address) is { IsValid: true, Type.Name: ManagedLockOwners.TypeName } found
                ? found : null;
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

/// <summary>
/// The lock at the start of a sync block, 64-bit, .NET 8 to 10 (dotnet/runtime, src/coreclr/vm/syncblk.h, class AwareLock; read so in cores of 8.0.0, 9.0.18
/// and 10.0.12). Before, there is no <see cref="SystemId"/>, and the index lies elsewhere; later, monitors are managed code.
/// </summary>
internal static class AwareLockLayout
{
    /// <summary>Id that the operating system gave to the thread that entered it, 8 bytes.</summary>
    public const int SystemId = 16;

    /// <summary>The sync block's own index, by which the layout is recognised; the upper bits are flags.</summary>
    public const int Index = 28;

    /// <summary>The bits that are the index.</summary>
    public const uint IndexMask = 0x03FF_FFFF;

    /// <summary>Bytes that are read.</summary>
    public const int Size = 32;
}

/// <summary>
/// The lock of a sync block from .NET 11 on, 64-bit, where monitors are managed code (dotnet/runtime, src/coreclr/vm/syncblk.h, class SyncBlock, at the tag
/// v11.0.0; read so in processes of 11.0.0).
/// </summary>
internal static class SyncBlockLockLayout
{
    /// <summary>A handle to the object's <c>System.Threading.Lock</c>; 0 while it has none.</summary>
    public const int Lock = 0;

    /// <summary>The sync block's own index, by which the layout is recognised; the upper bits are flags.</summary>
    public const int Index = 12;

    /// <summary>The bits that are the index.</summary>
    public const uint IndexMask = 0x03FF_FFFF;

    /// <summary>Bytes that are read.</summary>
    public const int Size = 16;
}
