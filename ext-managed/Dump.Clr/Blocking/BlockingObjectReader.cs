using System.Runtime.InteropServices;
using Dump.Clr.Blocking.Debugging;
using Dump.Clr.Runtimes;

namespace Dump.Clr.Blocking;

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
