using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Dump.Clr.Blocking.Debugging;
using Dump.Clr.Locks;
using Dump.Clr.Runtimes;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Blocking;

/// <summary>The runtime's own record of what a thread is blocked in.</summary>
/// <param name="ThreadId">Operating system id of the thread.</param>
/// <param name="Kind">What it does with the object.</param>
/// <param name="Object">Address of the object.</param>
/// <param name="Milliseconds">Time limit in milliseconds, -1 for none.</param>
/// <param name="OwnerThreadId">Operating system id of the thread that owns the object's monitor by the same source, or null when it names none.</param>
/// <param name="Source">Name of the source, for evidence.</param>
internal sealed record BlockingRecord(uint ThreadId, BlockingKind Kind, ulong Object, int Milliseconds, uint? OwnerThreadId, string Source);

/// <summary>The runtime's own records of blocked threads, from all sources that this core has. A thread without a record may be blocked all the same.</summary>
internal sealed class BlockingRecords
{
    private readonly ILookup<uint, BlockingRecord> _byThread;
    private readonly ILookup<ulong, uint> _owners;

    /// <summary>Groups records.</summary>
    public BlockingRecords(IEnumerable<BlockingRecord> records)
    {
        BlockingRecord[] all = [.. records];
        _byThread = all.ToLookup(r => r.ThreadId);
        _owners = all.Where(r => r.OwnerThreadId is not null).ToLookup(r => r.Object, r => r.OwnerThreadId!.Value);
    }

    /// <summary>Reads them.</summary>
    public static BlockingRecords Read(ClrTarget target, ManagedThreads threads, Lazy<SyncBlocks> blocks, LibraryGate? gate) =>
        Read(gate, () => BlockingObjectReader.Read(target), () => ThreadBlockingInfoReader.Read(target, threads.Live, blocks));

    /// <summary>Reads all sources that can be read.</summary>
    /// <param name="gate">Hears of those that fail; null where nobody asks.</param>
    /// <param name="sources">The sources.</param>
    internal static BlockingRecords Read(LibraryGate? gate, params ReadOnlySpan<Func<IReadOnlyList<BlockingRecord>>> sources)
    {
        List<BlockingRecord> records = [];
        foreach (Func<IReadOnlyList<BlockingRecord>> source in sources)
        {
            records.AddRange(Try(source, gate));
        }

        return new BlockingRecords(records);
    }

    /// <summary>Records of a thread, the innermost wait of each source first.</summary>
    public IEnumerable<BlockingRecord> Of(uint thread) => _byThread[thread];

    /// <summary>The owner of an object's monitor by the records, or null when they name none or several.</summary>
    public uint? OwnerOf(ulong target) => _owners[target].Distinct().ToArray() is [var owner] ? owner : null;

    private static IReadOnlyList<BlockingRecord> Try(Func<IReadOnlyList<BlockingRecord>> read, LibraryGate? gate)
    {
        try
        {
            return read();
        }
        catch (Exception error) when (error is not OutOfMemoryException)
        {
            // One source more or less: neither the libraries behind them nor damaged dumps have a closed set of exceptions, and the waits of the frames stand
            // without them.
            gate?.Fail();
            return [];
        }
    }
}

/// <summary>
/// Waits for monitors by the runtime's own lists (<c>ICorDebugThread4::GetBlockingObjects</c>), with the monitors' owners: .NET Core 3.1 to .NET 10. Locks of
/// other kinds, events and class constructors are not in those lists, and a core without heap may have none although threads wait.
/// </summary>
internal static class BlockingObjectReader
{
    private const string Source = "ICorDebugThread4.GetBlockingObjects";
    private const int MostThreads = 100_000;
    private const int MostPerThread = 64;

    /// <summary>All records; empty when there is none to read.</summary>
    public static IReadOnlyList<BlockingRecord> Read(ClrTarget target)
    {
        List<BlockingRecord> records = [];
        if (DebuggingLibrary.Open(target) is not { } process || process.EnumerateThreads(out ICorDebugThreadEnum? threads) < 0 || threads is null)
        {
            return records;
        }

        for (int i = 0; i < MostThreads && threads.Next(1, out ICorDebugThread? thread, out uint fetched) >= 0 && fetched == 1 && thread is not null; i++)
        {
            if (thread.GetID(out uint id) >= 0 && id != 0 && thread is ICorDebugThread4 blocked
                && blocked.GetBlockingObjects(out ICorDebugBlockingObjectEnum? objects) >= 0 && objects is not null)
            {
                Add(records, id, objects);
            }
        }

        return records;
    }

    private static void Add(List<BlockingRecord> records, uint thread, ICorDebugBlockingObjectEnum objects)
    {
        for (int i = 0; i < MostPerThread && objects.Next(1, out CorDebugBlockingObject blocking, out uint fetched) >= 0 && fetched == 1; i++)
        {
            BlockingKind? kind = blocking.Reason switch { 1 => BlockingKind.MonitorEnter, 2 => BlockingKind.MonitorWait, _ => null };
            if (DebuggingLibrary.Wrap<ICorDebugValue>(blocking.Value) is { } value && Object(value) is var (target, address) && address != 0
                && kind is not null)
            {
                records.Add(new BlockingRecord(thread, kind.Value, address, Math.Max(-1, unchecked((int)blocking.Timeout)), Owner(target), Source));
            }
        }
    }

    /// <summary>The object itself and its address; the library hands out the object or a reference to it.</summary>
    private static (ICorDebugValue? Target, ulong Address) Object(ICorDebugValue value)
    {
        if (value is ICorDebugReferenceValue reference)
        {
            return reference.GetValue(out ulong referred) >= 0 ? (reference.Dereference(out ICorDebugValue? target) >= 0 ? target : null, referred) : (null, 0);
        }

        return value.GetAddress(out ulong address) >= 0 ? (value, address) : (null, 0);
    }

    private static uint? Owner(ICorDebugValue? target)
    {
        const int Owned = 0;
        return target is ICorDebugHeapValue3 monitor
            && monitor.GetThreadOwningMonitorLock(out ICorDebugThread? owner, out _) == Owned
            && owner is not null && owner.GetID(out uint id) >= 0 && id != 0 ? id : null;
    }
}

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

/// <summary>
/// <c>System.Threading.ThreadBlockingInfo</c> of .NET 9 to 11, a struct on the blocked thread's stack
/// (dotnet/runtime, src/libraries/System.Private.CoreLib/src/System/Threading/ThreadBlockingInfo.cs; the runtime's own waits fill the same fields).
/// </summary>
internal static class ThreadBlockingInfoLayout
{
    /// <summary>For a monitor the address of its sync block; for a <c>Lock</c> that of a stack slot which refers to it.</summary>
    public const int ObjectPointer = 0;

    /// <summary>0 entering a monitor, 1 waiting for its pulse, 2 entering a <c>Lock</c>, 3 a condition.</summary>
    public const int ObjectKind = 8;

    /// <summary>Time limit in milliseconds, -1 for none.</summary>
    public const int Milliseconds = 12;

    /// <summary>The next struct, of the wait further out.</summary>
    public const int Next = 16;

    public const int Size = 24;

    public const int MonitorEnter = 0;
    public const int MonitorWait = 1;
    public const int Lock = 2;
}
