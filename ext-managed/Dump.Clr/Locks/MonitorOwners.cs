using System.Globalization;
using Dump.Clr.Runtimes;
using Dump.Model.Facts;
using Dump.Model.Wording;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Locks;

/// <summary>Owners of monitors, from the runtime's sync blocks and from thin locks in object headers.</summary>
internal sealed class MonitorOwners
{
    private const int MostSyncBlocks = 1_000_000;
    private readonly Dictionary<ulong, SyncBlock> _blocks = [];
    private readonly ClrHeap _heap;
    private readonly ManagedThreads _threads;
    private readonly Lazy<SyncBlocks>? _records;
    private readonly bool _areManagedLocks;

    /// <summary>Lists the sync blocks.</summary>
    /// <param name="heap">The heap.</param>
    /// <param name="threads">The runtime's threads.</param>
    /// <param name="records">What the public list of sync blocks does not show; null to do without.</param>
    public MonitorOwners(ClrHeap heap, ManagedThreads threads, Lazy<SyncBlocks>? records = null)
    {
        _heap = heap;
        _threads = threads;
        _areManagedLocks = SyncBlocks.AreManagedLocks(heap.Runtime);
        _records = records;
        foreach (SyncBlock block in heap.EnumerateSyncBlocks().Take(MostSyncBlocks))
        {
            if (block.Object != 0)
            {
                _blocks.TryAdd(block.Object, block);
            }
        }
    }

    /// <summary>
    /// True where monitors are locks (.NET 11) and the dump lacks the sync blocks that tell whose: createdump leaves them out of a core with heap.
    /// </summary>
    public bool AreNameless => _areManagedLocks && _blocks.Count == 0;

    /// <summary>The object whose monitor a lock is (.NET 11), or null.</summary>
    public ClrObject? ObjectOf(ulong entered) => _records?.Value.ObjectOfLock(entered) is { } address ? _heap.GetObject(address) : null;

    /// <summary>How many sync blocks were readable.</summary>
    public int Count => _blocks.Count;

    /// <summary>The owner of an object's monitor, or null when it is free or the record cannot be read.</summary>
    public LockOwner? Of(ulong address)
    {
        if (LockOf(address) is { } entered)
        {
            return ManagedLockOwners.Of(entered, _threads, storesManagedIds: true);
        }

        if (_blocks.TryGetValue(address, out SyncBlock? block) && block.IsMonitorHeld)
        {
            // The record names nobody: its thread has ended and a collection took its object, or the lock is about to be entered or left. The two look alike.
            return _threads.AtAddress(block.HoldingThreadAddress) is not { } thread ? _threads.Unlisted<LockOwner>()
                : EarlierOwner(block, thread) ?? new LockOwner(
                thread.ManagedThreadId,
                thread.OSThreadId == 0 ? null : thread.OSThreadId,
                block.RecursionCount,
                new Evidence(EvidenceSource.Runtime, $"sync block {block.Index}: held{Waiters(block)}", address));
        }

        return _heap.GetObject(address).GetThinLock() is { Thread: { } holder } thin
            ? new LockOwner(holder.ManagedThreadId, holder.OSThreadId == 0 ? null : holder.OSThreadId, thin.Recursion + 1,
                new Evidence(EvidenceSource.Runtime, "thin lock in the object's header", address))
            : null;
    }

    /// <summary>
    /// The owner, where the lock stores the system's id of another thread than the one that has its managed id now: that one has ended, and this one has got
    /// its id. Null in all other cases, and where it is not known that no such thread lives.
    /// </summary>
    private LockOwner? EarlierOwner(SyncBlock block, ClrThread thread) =>
        thread.OSThreadId != 0 && _records?.Value.SystemIdOfOwner(block.Object) is { } entered && entered != thread.OSThreadId && _threads.HasEnded(entered)
            ? new LockOwner(thread.ManagedThreadId, null, block.RecursionCount, new Evidence(
                EvidenceSource.Memory,
                string.Create(CultureInfo.InvariantCulture, $"sync block {block.Index}: held{Waiters(block)}, entered by thread {Name(entered)}, ")
                    + $"which has ended; its managed id is now that of thread {Name(thread.OSThreadId)}",
                block.Object, entered))
            {
                // Who enters the lock writes the two ids one after the other.
                Grade = Grade.Derived,
            }
            : null;

    private string Name(uint id) => ThreadNames.Id(id, ClrTarget.FamilyOf(_heap.Runtime));

    /// <summary>How many threads the runtime records as waiting to enter, or null when there is no such record. Right only while the monitor is held.</summary>
    public int? WaitersOf(ulong address) => LockOf(address) is { } entered ? ManagedLockOwners.WaitersOf(entered)
        : _blocks.TryGetValue(address, out SyncBlock? block) && block.IsMonitorHeld ? block.WaitingThreadCount : null;

    /// <summary>True when the object has a sync block that says its monitor is free.</summary>
    public bool IsFree(ulong address) => LockOf(address) is { } entered ? entered.TryReadField("_owningThreadId", out uint owner) && owner == 0
        : _blocks.TryGetValue(address, out SyncBlock? block) && !block.IsMonitorHeld;

    /// <summary>True when the owner has ended, and another thread has its managed id now.</summary>
    public bool HasEarlierOwner(ulong address) => _blocks.TryGetValue(address, out SyncBlock? block) && block.IsMonitorHeld
        && _threads.AtAddress(block.HoldingThreadAddress) is { } thread && EarlierOwner(block, thread) is not null;

    /// <summary>The lock that the monitor is (.NET 11), or null.</summary>
    private ClrObject? LockOf(ulong address) => _areManagedLocks ? _records?.Value.LockOf(address) : null;

    private static string Waiters(SyncBlock block) => $", {block.WaitingThreadCount} waiting";
}
