using Dump.Model.Facts;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Locks;

/// <summary>
/// Owner of a <c>System.Threading.Lock</c>, from its fields: <c>_owningThreadId</c> is the operating system's id on CoreCLR 9 and 10 and the managed id later;
/// <c>_state</c> bit 0 locked, bits 7 and up the number of waiters (dotnet/runtime, src/libraries/System.Private.CoreLib/src/System/Threading/Lock.cs).
/// </summary>
internal static class ManagedLockOwners
{
    /// <summary>The lock's type.</summary>
    public const string TypeName = "System.Threading.Lock";

    private const int WaiterShift = 7;

    /// <summary>The owner, or null when the lock is free or nothing is known of its owner but an id.</summary>
    /// <param name="target">The lock.</param>
    /// <param name="threads">The runtime's threads.</param>
    /// <param name="storesManagedIds">True from .NET 11 on. In a container both kinds of ids are small, so one must never be looked up as the other.</param>
    public static LockOwner? Of(ClrObject target, ManagedThreads threads, bool storesManagedIds)
    {
        if (!target.TryReadField("_owningThreadId", out uint owner) || owner == 0)
        {
            return null;
        }

        if ((storesManagedIds ? threads.FateOf((int)owner) : threads.FateOf(owner)) == OwnerFate.Unknown)
        {
            return null;
        }

        ClrThread? thread = storesManagedIds ? threads.WithManagedId((int)owner) : threads.WithId(owner);
        int? recursion = target.TryReadField("_recursionCount", out uint count) ? (int)Math.Min(count, int.MaxValue - 1) + 1 : null;
        return new LockOwner(
            thread?.ManagedThreadId,
            thread is { OSThreadId: not 0 } ? thread.OSThreadId : null,
            recursion,
            new Evidence(EvidenceSource.Memory, "Lock._owningThreadId", target.Address, owner));
    }

    /// <summary>How many threads wait by the lock's own count, or null when it cannot be read.</summary>
    public static int? WaitersOf(ClrObject target) => target.TryReadField("_state", out uint state) ? (int)(state >> WaiterShift) : null;
}
