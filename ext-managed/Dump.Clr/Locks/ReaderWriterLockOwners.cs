using Dump.Model;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Locks;

/// <summary>
/// Owners of a <c>ReaderWriterLockSlim</c>: the writer from <c>_writeLockOwnerId</c>, an upgradeable reader from <c>_upgradeLockOwnerId</c>, readers from every thread's
/// <c>t_rwc</c> list joined on <c>_lockID</c> (dotnet/runtime, src/libraries/System.Private.CoreLib/src/System/Threading/ReaderWriterLockSlim.cs).
/// </summary>
internal static class ReaderWriterLockOwners
{
    private const int LongestList = 1_024;

    /// <summary>All holders.</summary>
    public static IEnumerable<LockOwner> Of(ClrObject target, ManagedThreads threads)
    {
        bool written = false;
        if (target.TryReadField("_writeLockOwnerId", out int writer) && writer != -1)
        {
            written = true;
            yield return Owner(threads, writer, new Evidence(EvidenceSource.Memory, "ReaderWriterLockSlim._writeLockOwnerId", target.Address, (uint)writer));
        }

        if (target.TryReadField("_upgradeLockOwnerId", out int upgrader) && upgrader != -1 && !(written && upgrader == writer))
        {
            yield return Owner(threads, upgrader, new Evidence(EvidenceSource.Memory, "ReaderWriterLockSlim._upgradeLockOwnerId", target.Address, (uint)upgrader));
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

    private static LockOwner Owner(ManagedThreads threads, int managedId, Evidence evidence)
    {
        ClrThread? thread = threads.WithManagedId(managedId);
        return new LockOwner(managedId, thread is { OSThreadId: not 0 } ? thread.OSThreadId : null, null, evidence);
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
