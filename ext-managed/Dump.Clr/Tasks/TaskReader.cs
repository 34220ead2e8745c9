using System.Collections.Immutable;
using Dump.Clr.Frames;
using Dump.Model.Managed;
using Dump.Model.Text;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Tasks;

/// <summary>
/// Follows async methods: a task that the compiler made for one (<c>AsyncStateMachineBox</c>) holds the state machine, whose awaiter field
/// (<c>&lt;&gt;u__N</c>) holds the task that it awaits. Fields and flags: dotnet/runtime,
/// src/libraries/System.Private.CoreLib/src/System/Threading/Tasks/Task.cs, AsyncTaskMethodBuilderT.cs, TaskContinuation.cs.
/// </summary>
internal sealed class TaskReader
{
    private const int LongestChain = 64;
    private const string ContextContinuation = "System.Threading.Tasks.SynchronizationContextAwaitTaskContinuation";

    /// <summary>The chain of awaits that begins with a task.</summary>
    /// <param name="task">The task.</param>
    /// <param name="places">Knows the methods' places in the code.</param>
    public static ImmutableArray<AwaitStep> Steps(ClrObject task, ManagedPlaces places)
    {
        ImmutableArray<AwaitStep>.Builder steps = ImmutableArray.CreateBuilder<AwaitStep>();
        HashSet<ulong> seen = [];
        ClrObject current = task;
        while (current is { IsNull: false, IsValid: true } && steps.Count < LongestChain && seen.Add(current.Address))
        {
            if (SuspendedCalls.Of(current) is { } calls)
            {
                steps.AddRange(calls.Steps(current, StateOf(current), places).Take(LongestChain - steps.Count));
                current = calls.Awaited;
                continue;
            }

            steps.Add(new AwaitStep(current.Address, NameOf(current), StateOf(current)) { Place = PlaceOf(current, places) });
            if (Awaited(current) is not { } next)
            {
                break;
            }

            current = next;
        }

        return steps.ToImmutable();
    }

    /// <summary>The context that a task's continuation must be sent to, or null when it has none or several kinds of continuations.</summary>
    public static ulong? ContinuationContext(ClrObject task) =>
        task.TryReadObjectField("m_continuationObject", out ClrObject continuation)
        && continuation is { IsNull: false, IsValid: true } && continuation.Type?.Name == ContextContinuation
        && continuation.TryReadObjectField("m_syncContext", out ClrObject context) && !context.IsNull
            ? context.Address
            : null;

    /// <summary>Where a task stands.</summary>
    public static TaskState StateOf(ClrObject task) =>
        !task.TryReadField("m_stateFlags", out int flags) ? TaskState.Unknown
        : (flags & TaskFlags.Completed) != 0 ? TaskState.Completed
        : TaskState.Pending;

    /// <summary>The task that an async method awaits, or null when it is none, awaits nothing or something else than a task.</summary>
    private static ClrObject? Awaited(ClrObject box)
    {
        if (box.Type?.GetFieldByName("StateMachine") is not { } field)
        {
            return null;
        }

        return MachineOf(box, field) is var (type, address, interior) ? AwaitedBy(type, address, interior) : null;
    }

    /// <summary>The state machine of a box. In optimised builds it is a struct inside of it, else an object of its own.</summary>
    private static (ClrType Type, ulong Address, bool IsInterior)? MachineOf(ClrObject box, ClrInstanceField field)
    {
        if (field.IsObjectReference)
        {
            ClrObject machine = field.ReadObject(box.Address, interior: false);
            return machine is { IsNull: false, Type: { } type } ? (type, machine.Address, false) : null;
        }

        return field.Type is { } valueType ? (valueType, field.GetAddress(box.Address), true) : null;
    }

    private static AwaitPlace? PlaceOf(ClrObject box, ManagedPlaces places) =>
        box.Type?.GetFieldByName("StateMachine") is { } field && MachineOf(box, field) is var (machine, address, interior)
        && machine.GetFieldByName("<>1__state") is { } number && number.Read<int>(address, interior) is >= 0 and var state
        && places.OfStateMachine(machine) is { } code
            ? new AwaitPlace(code, state)
            : null;

    private static ClrObject? AwaitedBy(ClrType machine, ulong address, bool interior)
    {
        foreach (ClrInstanceField field in machine.Fields.Where(f => f.Name?.StartsWith("<>u__", StringComparison.Ordinal) == true))
        {
            if (field.ElementType == ClrElementType.Struct && TaskOf(field, address, interior) is { IsNull: false, IsValid: true } task)
            {
                return task;
            }
        }

        return null;
    }

    /// <summary>The task inside of an awaiter: <c>TaskAwaiter.m_task</c>, or one struct deeper in a configured awaiter or a value task's.</summary>
    private static ClrObject? TaskOf(ClrInstanceField awaiter, ulong address, bool interior)
    {
        const int DeepestStruct = 3;
        ClrType? type = awaiter.Type;
        ulong at = awaiter.GetAddress(address, interior);
        for (int depth = 0; type is not null && depth < DeepestStruct; depth++)
        {
            foreach (ClrInstanceField field in type.Fields)
            {
                if (field.IsObjectReference && field.ReadObject(at, interior: true) is { IsNull: false, Type: { } found } target && TaskTypes.IsTask(found))
                {
                    return target;
                }
            }

            ClrInstanceField? inner = type.Fields.FirstOrDefault(f => f.ElementType == ClrElementType.Struct);
            at = inner?.GetAddress(at, interior: true) ?? 0;
            type = inner?.Type;
        }

        return null;
    }

    /// <summary>The async method or the delegate that a task stands for, else its type.</summary>
    public static string NameOf(ClrObject task)
    {
        ClrInstanceField? field = task.Type?.GetFieldByName("StateMachine");
        string? machine = field is null ? null
            : field.IsObjectReference ? field.ReadObject(task.Address, interior: false).Type?.Name
            : field.Type?.Name;
        return SafeText.Clean(
            machine is not null ? MethodNames.Of(machine, "MoveNext")
            : SuspendedCalls.Of(task) is { } calls ? calls.Name
            : DelegateOf(task) ?? TypeNames.Of(task.Type) ?? "a task of unknown type", 256);
    }

    /// <summary>The method that a task runs, or null.</summary>
    private static string? DelegateOf(ClrObject task) =>
        task.TryReadObjectField("m_action", out ClrObject action) && action is { IsNull: false, IsDelegate: true }
            && action.AsDelegate().GetDelegateTarget() is { Method: { } method }
            ? MethodNames.Of(method)
            : null;
}
