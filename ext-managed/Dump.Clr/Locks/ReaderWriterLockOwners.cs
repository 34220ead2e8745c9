using Dump.Model.Facts;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Locks;

/// <summary>
/// Owners of a <c>ReaderWriterLockSlim</c>: the writer from <c>_writeLockOwnerId</c>, an upgradeable reader from <c>_upgradeLockOwnerId</c>, readers from every
/// thread's <c>t_rwc</c> list joined on <c>_lockID</c> (dotnet/runtime, src/libraries/System.Private.CoreLib/src/System/Threading/ReaderWriterLockSlim.cs).
/// </summary>
internal static class ReaderWriterLockOwners
{
    private const int LongestList = 1_024;

    /// <summary>All holders.</summary>
    /// <param name="target">The lock.</param>
    /// <param name="threads">The runtime's threads.</param>
    /// <param name="use">Who uses the lock, as a second witness for a writer's id.</param>
    public static IEnumerable<LockOwner> Of(ClrObject target, ManagedThreads threads, LockUse use)
    {
        bool written = false;
        if (target.TryReadField("_writeLockOwnerId", out int writer) && writer != -1)
        {
            written = true;
            if (Owner(threads, use, target, writer, "ReaderWriterLockSlim._writeLockOwnerId") is { } owner)
            {
                yield return owner;
            }
        }

        if (target.TryReadField("_upgradeLockOwnerId", out int upgrader) && upgrader != -1 && !(written && upgrader == writer))
        {
            if (Owner(threads, use, target, upgrader, "ReaderWriterLockSlim._upgradeLockOwnerId") is { } owner)
            {
                yield return owner;
            }
        }

        if (!target.TryReadField("_lockID", out long id) || target.Type?.ThreadStaticFields.FirstOrDefault(f => f.Name == "t_rwc") is not { } counts)
        {
            yield break;
        }

        foreach (ClrThread thread in threads.Live)
        {
            if (Readers(counts, thread, id) is > 0 and var count)
            {
                yield return new LockOwner(
                    thread.ManagedThreadId, thread.OSThreadId, count,
                    new Evidence(EvidenceSource.Memory, "read lock in the thread's ReaderWriterCount list (t_rwc)", target.Address, (ulong)count));
            }
        }
    }

    private static LockOwner? Owner(ManagedThreads threads, LockUse use, ClrObject target, int managedId, string field)
    {
        OwnerFate fate = threads.FateOf(managedId);
        return fate == OwnerFate.Unknown ? null
            : use.Judge(new LockOwner(managedId, threads.WithManagedId(managedId) is { OSThreadId: not 0 } thread ? thread.OSThreadId : null, null,
                new Evidence(EvidenceSource.Memory, field, target.Address, (uint)managedId)), target.Address, isLockStatement: false);
    }

    private static int Readers(ClrThreadStaticField counts, ClrThread thread, long id)
    {
        if (!counts.IsInitialized(thread))
        {
            return 0;
        }

        ClrObject entry = counts.ReadObject(thread);
        for (int i = 0; i < LongestList && entry is { IsNull: false, IsValid: true }; i++)
        {
            if (entry.TryReadField("lockID", out long entryId) && entryId == id)
            {
                return entry.TryReadField("readercount", out int readers) ? readers : 0;
            }

            if (!entry.TryReadObjectField("next", out entry))
            {
                return 0;
            }
        }

        return 0;
    }
}
