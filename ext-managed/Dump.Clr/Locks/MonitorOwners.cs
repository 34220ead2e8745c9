using Dump.Model.Facts;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Locks;

/// <summary>Owners of monitors, from the runtime's sync blocks and from thin locks in object headers.</summary>
internal sealed class MonitorOwners
{
    private const int MostSyncBlocks = 1_000_000;
    private readonly Dictionary<ulong, SyncBlock> _blocks = [];
    private readonly ClrHeap _heap;
    private readonly ManagedThreads _threads;

    public MonitorOwners(ClrHeap heap, ManagedThreads threads)
    {
        _heap = heap;
        _threads = threads;
        foreach (SyncBlock block in heap.EnumerateSyncBlocks().Take(MostSyncBlocks))
        {
            if (block.Object != 0)
            {
                _blocks.TryAdd(block.Object, block);
            }
        }
    }

    /// <summary>How many sync blocks were readable.</summary>
    public int Count => _blocks.Count;

    /// <summary>The owner of an object's monitor, or null when it is free or the record cannot be read.</summary>
    public LockOwner? Of(ulong address)
    {
        if (_blocks.TryGetValue(address, out SyncBlock? block) && block.IsMonitorHeld)
        {
            // The record names nobody: its thread has ended and a collection took its object, or the lock is about to be entered or left. The two look alike.
            return _threads.AtAddress(block.HoldingThreadAddress) is not { } thread ? _threads.Unlisted<LockOwner>() : new LockOwner(
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

    /// <summary>How many threads the runtime records as waiting to enter, or null when there is no such record. Right only while the monitor is held.</summary>
    public int? WaitersOf(ulong address) =>
        _blocks.TryGetValue(address, out SyncBlock? block) && block.IsMonitorHeld ? block.WaitingThreadCount : null;

    /// <summary>True when the object has a sync block that says its monitor is free.</summary>
    public bool IsFree(ulong address) => _blocks.TryGetValue(address, out SyncBlock? block) && !block.IsMonitorHeld;

    private static string Waiters(SyncBlock block) => $", {block.WaitingThreadCount} waiting";
}
