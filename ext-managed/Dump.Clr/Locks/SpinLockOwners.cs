using Dump.Model.Facts;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Locks;

/// <summary>
/// Owner of a <c>System.Threading.SpinLock</c> from its only field, <c>_owner</c>: the managed thread id where the lock tracks owners, else bit 31 with bit 0
/// for "held by somebody" (dotnet/runtime, src/libraries/System.Private.CoreLib/src/System/Threading/SpinLock.cs; the same in .NET Core 3.1 to .NET 10).
/// </summary>
internal static class SpinLockOwners
{
    public const string TypeName = "System.Threading.SpinLock";
    private const uint TracksNoOwner = 0x8000_0000;

    /// <summary>The owner, or null when the lock is free, tracks none, or its owner cannot be found.</summary>
    public static LockOwner? Of(ulong address, IDataReader memory, ManagedThreads threads, LockUse use)
    {
        if (!memory.Read(address, out uint owner) || owner == 0 || (owner & TracksNoOwner) != 0)
        {
            return null;
        }

        return threads.WithManagedId((int)owner) is not { } thread ? null : use.Judge(new LockOwner(
            thread.ManagedThreadId,
            thread.OSThreadId == 0 ? null : thread.OSThreadId,
            1,
            new Evidence(EvidenceSource.Memory, "SpinLock._owner (managed thread id)", address, owner)), address, isLockStatement: false);
    }
}
