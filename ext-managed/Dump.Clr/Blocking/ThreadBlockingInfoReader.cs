using System.Buffers.Binary;
using Dump.Clr.Locks;
using Dump.Clr.Runtimes;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Blocking;

/// <summary>
/// Waits by the thread static <c>ThreadBlockingInfo.t_first</c> of .NET 9 and later. Its absence says nothing: in a process that never contended a <c>Lock</c>
/// the data-access library reports it as not initialised on every thread, although the runtime fills it.
/// </summary>
internal static class ThreadBlockingInfoReader
{
    private const string Source = "ThreadBlockingInfo.t_first";
    private const int LongestList = 64;

    /// <summary>All records; empty when there is none to read.</summary>
    public static IReadOnlyList<BlockingRecord> Read(ClrTarget target, IEnumerable<ClrThread> threads, Lazy<SyncBlocks> syncBlocks)
    {
        ClrThreadStaticField? first =
            target.Runtime.BaseClassLibrary?.GetTypeByName("System.Threading.ThreadBlockingInfo")?.ThreadStaticFields.FirstOrDefault(f => f.Name == "t_first");
        (ClrThread Thread, ulong Address)[] waits = first is null ? []
            : [.. threads.Where(first.IsInitialized).Select(t => (t, first.Read<ulong>(t))).Where(w => w.Item2 != 0)];
        if (waits.Length == 0)
        {
            return [];
        }

        SyncBlocks blocks = syncBlocks.Value;
        Dictionary<ulong, ulong> objects = blocks.ObjectsByAddress();
        return [.. waits.SelectMany(w => Read(target.Target.DataReader, w.Thread.OSThreadId, w.Address, objects)).Select(r => Named(r, blocks))];
    }

    /// <summary>From .NET 11 on a monitor is entered by its lock.</summary>
    private static BlockingRecord Named(BlockingRecord record, SyncBlocks blocks) =>
        record.Kind == BlockingKind.Lock && blocks.ObjectOfLock(record.Object) is { } monitor
            ? record with { Kind = BlockingKind.MonitorEnter, Object = monitor } : record;

    private static IEnumerable<BlockingRecord> Read(IDataReader memory, uint thread, ulong address, Dictionary<ulong, ulong> objects)
    {
        byte[] info = new byte[ThreadBlockingInfoLayout.Size];
        for (int i = 0; i < LongestList && address != 0 && memory.Read(address, info) == info.Length; i++)
        {
            ulong pointer = BinaryPrimitives.ReadUInt64LittleEndian(info.AsSpan(ThreadBlockingInfoLayout.ObjectPointer));
            int milliseconds = BinaryPrimitives.ReadInt32LittleEndian(info.AsSpan(ThreadBlockingInfoLayout.Milliseconds));
            (BlockingKind Kind, ulong Object)? blocked = BinaryPrimitives.ReadInt32LittleEndian(info.AsSpan(ThreadBlockingInfoLayout.ObjectKind)) switch
            {
                ThreadBlockingInfoLayout.MonitorEnter => (BlockingKind.MonitorEnter, objects.GetValueOrDefault(pointer)),
                ThreadBlockingInfoLayout.MonitorWait => (BlockingKind.MonitorWait, objects.GetValueOrDefault(pointer)),
                ThreadBlockingInfoLayout.Lock => (BlockingKind.Lock, memory.ReadPointer(pointer)),
                _ => null,
            };
            if (blocked is { Object: not 0 } found)
            {
                yield return new BlockingRecord(thread, found.Kind, found.Object, Math.Max(-1, milliseconds), null, Source);
            }

            address = BinaryPrimitives.ReadUInt64LittleEndian(info.AsSpan(ThreadBlockingInfoLayout.Next));
        }
    }
}
