using Dump.Model.Facts;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Locks;

/// <summary>
/// A <c>System.Threading.ReaderWriterLock</c>, the one before <c>ReaderWriterLockSlim</c>: the writer's managed id in <c>_writerID</c>, -1 for none; readers in
/// every thread's list <c>ThreadLocalLockEntry.t_lockEntryHead</c>, joined on <c>_lockID</c>; <c>_state</c>: bits 0 to 9 readers, bit 12 a writer holds it,
/// bits 23 and up waiting writers (dotnet/runtime, src/libraries/System.Threading/src/System/Threading/ReaderWriterLock.cs).
/// </summary>
internal static class LegacyReaderWriterLock
{
    public const string TypeName = "System.Threading.ReaderWriterLock";
    private const string EntryTypeName = TypeName + "+ThreadLocalLockEntry";
    private const int LongestList = 1_024;
    private const int Nobody = -1;
    private const int Readers = 0x3FF;
    private const int WriterHolds = 0x1000;
    private const int WritersWait = unchecked((int)0xFF80_0000);

    /// <summary>True for such a lock.</summary>
    public static bool Is(ClrObject target) => target.Type?.Name == TypeName;

    /// <summary>All holders that can be told.</summary>
    public static IEnumerable<LockOwner> Owners(ClrObject target, ManagedThreads threads, LockUse use)
    {
        if (target.TryReadField("_writerID", out int writer) && writer != Nobody && threads.FateOf(writer) != OwnerFate.Unknown)
        {
            uint? id = threads.WithManagedId(writer) is { OSThreadId: not 0 } thread ? thread.OSThreadId : null;
            yield return use.Judge(new LockOwner(writer, id, null,
                new Evidence(EvidenceSource.Memory, "ReaderWriterLock._writerID", target.Address, (uint)writer)), target.Address, isLockStatement: false);
        }

        if (!target.TryReadField("_lockID", out long lockId)
            || target.Type?.Module?.GetTypeByName(EntryTypeName)?.ThreadStaticFields.FirstOrDefault(f => f.Name == "t_lockEntryHead") is not { } head)
        {
            yield break;
        }

        foreach (ClrThread thread in threads.Live)
        {
            if (ReadLevel(head, thread, lockId) is > 0 and var level)
            {
                yield return new LockOwner(
                    thread.ManagedThreadId, thread.OSThreadId, level,
                    new Evidence(EvidenceSource.Memory, "read lock in the thread's list of lock entries (t_lockEntryHead)", target.Address, (ulong)level));
            }
        }
    }

    /// <summary>The state in the words of its successor, or null when it cannot be read.</summary>
    public static ReaderWriterLockState? StateOf(ClrObject target) => !target.TryReadField("_state", out int state) ? null
        : ReaderWriterLockState.Made(readers: state & Readers, writerHolds: (state & WriterHolds) != 0, writersWait: (state & WritersWait) != 0);

    private static int ReadLevel(ClrThreadStaticField head, ClrThread thread, long lockId)
    {
        ClrObject entry = head.IsInitialized(thread) ? head.ReadObject(thread) : default;
        for (int i = 0; i < LongestList && entry is { IsNull: false, IsValid: true }; i++)
        {
            if (entry.TryReadField("_lockID", out long id) && id == lockId)
            {
                return entry.TryReadField("_readerLevel", out ushort level) ? level : 0;
            }

            if (!entry.TryReadObjectField("_next", out entry))
            {
                break;
            }
        }

        return 0;
    }
}
