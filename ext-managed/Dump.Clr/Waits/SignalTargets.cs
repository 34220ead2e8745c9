using System.Globalization;
using System.Runtime.CompilerServices;
using Dump.Clr.Frames;
using Dump.Model.Facts;
using Dump.Model.Waits;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Waits;

/// <summary>Objects without an owner that a thread waits for: semaphores, events, barriers, collections that block, conditions.</summary>
internal static class SignalTargets
{
    /// <summary>What threads wait for in <c>Monitor.Wait</c> from .NET 11 on.</summary>
    public const string ConditionType = "System.Threading.Condition";

    /// <summary>Its field with the lock that it belongs to.</summary>
    public const string ConditionLock = "_lock";

    // The classes that wait through another object, and their fields that refer to it (.NET Core 3.1 to .NET 10).
    private static readonly (string Type, string[] Fields)[] s_wrappers =
    [
        ("System.Threading.CountdownEvent", ["_event"]),
        ("System.Threading.Barrier", ["_oddEvent", "_evenEvent"]),
        ("System.Collections.Concurrent.BlockingCollection<", ["_occupiedNodes", "_freeNodes"]),
    ];

    /// <summary>The object that the outermost method of the wait belongs to, else an inner one through which it waits.</summary>
    public static WaitTarget[] Find(ManagedThread thread, WaitCall wait)
    {
        ClrObject[] objects = [.. wait.Objects(thread)];
        if (ChildProcess(wait, objects) is { } child)
        {
            return [child];
        }

        ClrObject inner = default;
        foreach (ManagedFrame frame in wait.Run)
        {
            ClrObject own = objects.FirstOrDefault(o => o.Type?.Name is { } name && name == frame.TypeName);
            inner = own.Type is null ? inner : Iterated(own);
        }

        if (inner.Type is null)
        {
            return BehindAsyncWaiters(thread, wait, objects) is { } semaphore ? [semaphore] : [];
        }

        ClrObject outer = Wrapper(thread, wait, inner);
        ClrObject target = outer.Type is null ? inner : outer;
        return
        [
            new WaitTarget(
                new Resource(ResourceKind.ManagedSignal, target.Address), null, Grade.Derived,
                new Evidence(EvidenceSource.Runtime, $"object that the frames of {wait.Function.Type}.{wait.Function.Method} refer to", target.Address))
            {
                Description = new ResourceDescription(TypeNames.Short(target.Type) ?? "signal object", SignalStates.Of(target)),
            },
        ];
    }

    /// <summary>
    /// Where async waiters stand before it, <c>SemaphoreSlim.Wait</c> waits for a task in the queue of these (SemaphoreSlim.cs, m_asyncHead; seen on .NET 8 to 10):
    /// the semaphore is an object nearby in whose queue that task is, else the task stands for it.
    /// </summary>
    private static WaitTarget? BehindAsyncWaiters(ManagedThread thread, WaitCall wait, ClrObject[] objects)
    {
        const string Semaphore = "System.Threading.SemaphoreSlim", Place = Semaphore + "+TaskNode";
        if (wait.Function.Type != Semaphore || objects.FirstOrDefault(o => o.Type?.Name == Place) is not { Type: not null } place)
        {
            return null;
        }

        ClrObject semaphore = NearObjects.Of(thread).FirstOrDefault(o => o.Type?.Name == Semaphore && Queue(o).Any(p => p.Address == place.Address));
        ClrObject target = semaphore.Type is null ? place : semaphore;
        return new WaitTarget(
            new Resource(ResourceKind.ManagedSignal, target.Address), null, Grade.Derived,
            new Evidence(EvidenceSource.Runtime, $"place among the async waiters that the frames of {wait.Function.Type}.{wait.Function.Method} refer to", place.Address))
        {
            Description = new ResourceDescription("SemaphoreSlim", "behind async waiters"),
        };
    }

    private static IEnumerable<ClrObject> Queue(ClrObject semaphore)
    {
        const int MostWaiters = 10_000;
        int count = 0;
        for (bool has = semaphore.TryReadObjectField("m_asyncHead", out ClrObject at); has && !at.IsNull && count < MostWaiters; count++)
        {
            yield return at;
            has = at.TryReadObjectField("Next", out at);
        }
    }

    /// <summary>
    /// On Linux <c>Process.WaitForExit</c> waits for an event of the process' state object, which has its id, as the process' own object has (dotnet/runtime,
    /// ProcessWaitState.Unix.cs and Process.cs; checked on .NET 10). Null for other waits, and where neither object is at hand.
    /// </summary>
    private static WaitTarget? ChildProcess(WaitCall wait, ClrObject[] objects)
    {
        const string Process = "System.Diagnostics.Process", State = "System.Diagnostics.ProcessWaitState", Field = "_processId";
        ClrObject known = wait.Run.Any(f => f.TypeName == State) ? objects.FirstOrDefault(o => o.Type?.Name is State or Process) : default;
        return known.Type is not null && known.TryReadField(Field, out int id) && id > 0
            ? new WaitTarget(new Resource(ResourceKind.ChildProcess, (ulong)id), null, Grade.Derived,
                new Evidence(EvidenceSource.Runtime, $"{known.Type.Name}.{Field} of the object that the frames of {wait.Function.Method} refer to", known.Address))
            : null;
    }

    /// <summary>The collection that a method with <c>yield return</c> belongs to: the frame's own object is the one that the compiler makes of the method.</summary>
    private static ClrObject Iterated(ClrObject own) =>
        own.Type?.Name?.Contains("+<", StringComparison.Ordinal) == true && own.TryReadObjectField("<>4__this", out ClrObject collection) && !collection.IsNull
            ? collection : own;

    /// <summary>The object of <c>Monitor.Wait</c>; from .NET 11 on the condition of its lock.</summary>
    public static WaitTarget[] Condition(ManagedThread thread, WaitCall wait)
    {
        ClrObject target = wait.Run.Any(f => f.TypeName == ConditionType) ? wait.Objects(thread).FirstOrDefault(o => o.Type?.Name == ConditionType)
            : wait.Objects(thread).FirstOrDefault();
        return target.Type is null ? [] :
        [
            new WaitTarget(
                new Resource(ResourceKind.ManagedSignal, target.Address), null, Grade.Derived,
                new Evidence(EvidenceSource.Runtime, $"first object that the frames of {wait.Function.Type}.{wait.Function.Method} refer to", target.Address))
            {
                Description = PulseOf(target),
            },
        ];
    }

    /// <summary>The pulse of an object in words.</summary>
    public static ResourceDescription PulseOf(ClrObject target) => new($"a pulse (Monitor.Wait) of {TypeNames.Short(target.Type) ?? "object"}", null);

    /// <summary>
    /// Optimised methods of a wrapper keep no reference to it, but their caller does, or an object that the
    /// caller refers to; the wrapper's field proves which one it is.
    /// </summary>
    private static ClrObject Wrapper(ManagedThread thread, WaitCall wait, ClrObject inner)
    {
        (string type, string[] fields) = s_wrappers.FirstOrDefault(w => wait.Function.Type.StartsWith(w.Type, StringComparison.Ordinal));
        bool Wraps(ClrObject candidate) => candidate.Type?.Name?.StartsWith(type, StringComparison.Ordinal) == true
            && fields.Any(f => candidate.TryReadObjectField(f, out ClrObject held) && held.Address == inner.Address);
        return type is null || inner.Type!.Name == wait.Function.Type ? default : NearObjects.Of(thread).FirstOrDefault(Wraps);
    }
}

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
