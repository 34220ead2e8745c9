using System.Globalization;
using System.Runtime.CompilerServices;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Waits;

/// <summary>
/// The states of objects without an owner, from their fields, in words. Fields: dotnet/runtime,
/// src/libraries/System.Private.CoreLib/src/System/Threading/SemaphoreSlim.cs, ManualResetEventSlim.cs, CountdownEvent.cs;
/// src/libraries/System.Threading/src/System/Threading/Barrier.cs; the same in .NET Core 3.1 to .NET 10.
/// </summary>
internal static class SignalStates
{
    private const uint EventIsSet = 0x8000_0000;
    private const uint EventWaiters = 0x7_FFFF;
    private const int BarrierArrivedShift = 16;
    private const uint BarrierArrived = 0x7FFF;
    private const uint BarrierTotal = 0x7FFF;

    /// <summary>The state, or null when the type is not known or a field cannot be read.</summary>
    public static string? Of(ClrObject target) => target.Type?.Name switch
    {
        "System.Threading.SemaphoreSlim" => target.TryReadField("m_currentCount", out int free) && target.TryReadField("m_waitCount", out int waiting)
            ? Text($"{free} free, {waiting} waiting") : null,
        "System.Threading.ManualResetEventSlim" => Event(target),
        "System.Threading.CountdownEvent" => target.TryReadField("_currentCount", out int missing) && target.TryReadField("_initialCount", out int initial)
            ? Text($"{missing} of {initial} signals missing") : null,
        "System.Threading.Barrier" => target.TryReadField("_currentTotalCount", out uint counts)
            ? Text($"{(counts >> BarrierArrivedShift) & BarrierArrived} of {counts & BarrierTotal} participants have arrived") : null,
        { } name when name.StartsWith("System.Collections.Concurrent.BlockingCollection<", StringComparison.Ordinal) => Collection(target),
        _ => null,
    };

    private static string? Event(ClrObject target) => target.TryReadField("m_combinedState", out uint state) || target.TryReadField("_combinedState", out state)
        ? Text($"{((state & EventIsSet) != 0 ? "set" : "not set")}, {state & EventWaiters} waiting") : null;

    private static string? Collection(ClrObject target)
    {
        int? items = Free(target, "_occupiedNodes");
        bool isFull = Free(target, "_freeNodes") == 0;
        return items is null ? null
            : isFull && target.TryReadField("_boundedCapacity", out int capacity) ? Text($"full: {items} of {capacity} items")
            : items == 0 ? "empty"
            : Text($"{items} items");
    }

    private static int? Free(ClrObject target, string field) =>
        target.TryReadObjectField(field, out ClrObject semaphore) && !semaphore.IsNull && semaphore.TryReadField("m_currentCount", out int count)
            ? count
            : null;

    private static string Text(DefaultInterpolatedStringHandler text) => string.Create(CultureInfo.InvariantCulture, ref text);
}
