using System.Collections.Concurrent;
using System.Globalization;
using Dump.Clr.Collections;
using Dump.Clr.Frames;
using Dump.Clr.Heap;
using Dump.Clr.Tasks;
using Dump.Model.Managed;
using Dump.Model.Text;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Awaits;

/// <summary>
/// Finds the fields of tasks, state machines and continuations through the runtime, once for each type. Names: dotnet/runtime,
/// src/libraries/System.Private.CoreLib/src/System/Threading/Tasks/Task.cs, TaskContinuation.cs, FutureFactory.cs,
/// src/System/Runtime/CompilerServices/AsyncTaskMethodBuilderT.cs, PoolingAsyncValueTaskMethodBuilderT.cs; of state machines: Roslyn's GeneratedNames.
/// </summary>
/// <param name="runtime">The runtime.</param>
/// <param name="places">Knows the methods of state machines; null where nobody asks for them.</param>
/// <param name="onFault">Called for each type on which the data-access library fails; null where nobody asks.</param>
internal sealed class AsyncTypes(ClrRuntime runtime, ManagedPlaces? places = null, Action? onFault = null) : IAsyncTypes
{
    /// <summary>State machines that keep more than this are cut: their awaiters behind it are not seen.</summary>
    public const int LargestObject = 4_096;

    private const int MostMethods = 100_000;
    private const int LongestName = 256;

    // AsyncOperation.cs of System.Threading.Channels: each channel keeps one operation for reading and one for writing, and counts their uses.
    private const string Channels = "System.Threading.Channels.";
    private const int MostBaseTypes = 64;
    private const int MostReferences = 256;
    private const int MostClosures = 4;

    // Of all lists of suspended calls that are kept, each once.
    private const int MostCallsKept = 500_000;

    // Of a state machine: the box of it, the method's object, and variables that lambdas share (Roslyn, GeneratedNames).
    private static readonly string[] s_closures = ["StateMachine", "__this", ">8__"];
    private readonly ConcurrentDictionary<ulong, AsyncType?> _types = [];
    private readonly Dictionary<(ulong Code, ulong Second), string?> _methods = [];
    private readonly Dictionary<ulong, (string? Name, MethodPlace? Code)> _suspended = [];
    private readonly Dictionary<(int Module, int Type, string Field), ulong> _statics = [];
    private readonly Dictionary<string, (AsyncType, int)?> _suspendedTasks = [];
    private readonly Lock _runtimeLock = new();
    private int _callsLeft = MostCallsKept;

    /// <inheritdoc/>
    public ulong FreeMethodTable { get; } = runtime.Heap.FreeType.MethodTable;

    /// <inheritdoc/>
    public bool TryResolve(ulong methodTable, out object? tag)
    {
        AsyncType? type = Find(methodTable);
        tag = type is { IsCollected: true } ? type : null;
        return type is not null;
    }

    /// <inheritdoc/>
    public AsyncType? Find(ulong methodTable)
    {
        if (_types.TryGetValue(methodTable, out AsyncType? known))
        {
            return known;
        }

        lock (_runtimeLock)
        {
            try
            {
                known = runtime.GetTypeByMethodTable(methodTable) is { } type ? WithCode(Make(type), type) : null;
            }
            catch (Exception error) when (error is not OutOfMemoryException)
            {
                // The library documents no exceptions for damaged method tables; such a type is none.
                onFault?.Invoke();
                known = null;
            }

            _types[methodTable] = known;
            return known;
        }
    }

    /// <inheritdoc/>
    public (AsyncType Method, int State)? OfSuspended(ReadOnlySpan<(ulong Address, int State)> calls)
    {
        string key = string.Join(',', calls.ToArray().Select(c => string.Create(CultureInfo.InvariantCulture, $"{c.Address:x}:{c.State}")));
        lock (_runtimeLock)
        {
            if (_suspendedTasks.TryGetValue(key, out (AsyncType, int)? known) || calls.Length > _callsLeft)
            {
                return known;
            }

            _callsLeft -= calls.Length;

            List<AwaitStepName> steps = [];
            foreach ((ulong address, int state) in calls)
            {
                (string? name, MethodPlace? code) = Suspended(address);
                if (name is not null)
                {
                    steps.Add(new AwaitStepName(name, state) { Code = code });
                }
            }

            (AsyncType, int)? made = null;
            if (steps.Count > 0)
            {
                AwaitStepName own = steps[Math.Max(0, steps.FindIndex(s => MethodOrigins.IsOfProgram(s.Text)))];
                made = (new AsyncType(AsyncTypeKind.Method, own.Text, 0) { Code = own.Code, Calls = [.. steps] }, own.State ?? 0);
            }

            _suspendedTasks.Add(key, made);
            return made;
        }
    }

    /// <summary>The method of a suspended call; no name where the runtime knows none at that address.</summary>
    private (string? Name, MethodPlace? Code) Suspended(ulong address)
    {
        if (!_suspended.TryGetValue(address, out (string? Name, MethodPlace? Code) known) && _suspended.Count < MostMethods)
        {
            try
            {
                ClrMethod? method = runtime.GetMethodByInstructionPointer(address);
                known = method is null ? default
                    : (MethodNames.Of(method) is { } name ? SafeText.Clean(name, LongestName) : null, places?.Of(method, address));
            }
            catch (Exception error) when (error is not OutOfMemoryException)
            {
                onFault?.Invoke();
            }

            _suspended.Add(address, known);
        }

        return known;
    }

    /// <inheritdoc/>
    public bool? TakesTurns(MethodPlace? code)
    {
        lock (_runtimeLock)
        {
            return code is null ? null : places?.TurnsOf(code)?.Any;
        }
    }

    /// <inheritdoc/>
    public IReadOnlyCollection<ulong> HeldBy(AsyncNode call)
    {
        lock (_runtimeLock)
        {
            try
            {
                return call is { IsMethod: true, State: >= 0, Type.Code: { } code } && places?.TurnsOf(code) is { } turns
                    ? [.. turns.Around(call.State).Select(t => SemaphoreOf(call.Address, t, code)).Where(s => s != 0).Distinct()] : [];
            }
            catch (Exception error) when (error is not OutOfMemoryException)
            {
                onFault?.Invoke();
                return [];
            }
        }
    }

    /// <summary>The semaphore of a turn: in a static field, the call's own object, the method's object or a closure; 0 where it is none of these.</summary>
    private ulong SemaphoreOf(ulong box, SemaphoreTurn turn, MethodPlace code)
    {
        if (turn.Field is null)
        {
            return 0;
        }

        if (turn.StaticType is { } token)
        {
            (int, int, string) key = (code.Module, token, turn.Field);
            if (!_statics.TryGetValue(key, out ulong known))
            {
                _statics.Add(key, known = StaticSemaphore(turn.Field, token, code));
            }

            return known;
        }

        ClrObject[] open = [runtime.Heap.GetObject(box)];
        for (int depth = 0; depth < MostClosures; depth++)
        {
            ClrReference[] references = [.. open.SelectMany(o => o.EnumerateReferencesWithFields(carefully: true).Take(MostReferences))];
            ulong[] found = [.. references.Where(r => FieldOf(r) == turn.Field && IsSemaphore(r.Object)).Select(r => r.Object.Address).Distinct()];
            if (found.Length > 0)
            {
                return found.Length == 1 ? found[0] : 0;
            }

            open = [.. references.Where(r => FieldOf(r) is { } name && s_closures.Any(c => name.Contains(c, StringComparison.Ordinal))).Select(r => r.Object).Take(MostReferences)];
        }

        return 0;
    }

    /// <summary>The semaphore in a static field of a type, or 0.</summary>
    private ulong StaticSemaphore(string name, int token, MethodPlace code)
    {
        ulong table = places?.ModuleOf(code)?.EnumerateTypeDefToMethodTableMap().FirstOrDefault(t => t.Token == token).MethodTable ?? 0;
        ClrStaticField? field = table == 0 ? null : runtime.GetTypeByMethodTable(table)?.StaticFields.FirstOrDefault(f => f.Name == name);
        return field is not null && runtime.AppDomains.FirstOrDefault() is { } domain && field.ReadObject(domain) is { IsValid: true } kept && IsSemaphore(kept) ? kept.Address : 0;
    }

    /// <summary>The field itself, also within structs.</summary>
    private static string? FieldOf(ClrReference reference)
    {
        ClrReference at = reference;
        for (int i = 0; i < MostBaseTypes && at.InnerField is { } inner; i++)
        {
            at = inner;
        }

        return at.Field?.Name;
    }

    private static bool IsSemaphore(ClrObject found) => found is { IsNull: false, Type: { } type } && Ancestor(type) == "System.Threading.SemaphoreSlim";

    /// <inheritdoc/>
    public string? MethodOf(ulong callback)
    {
        lock (_runtimeLock)
        {
            ClrObject target = runtime.Heap.GetObject(callback);
            if (target is not { IsValid: true, IsDelegate: true })
            {
                return null;
            }

            (ulong, ulong) key = (Pointer(target, "_methodPtr"), Pointer(target, "_methodPtrAux"));
            if (!_methods.TryGetValue(key, out string? name) && _methods.Count < MostMethods)
            {
                name = target.AsDelegate().GetDelegateTarget() is { Method: { } method } && MethodNames.Of(method) is { } found
                    ? SafeText.Clean(found, LongestName)
                    : null;
                _methods.Add(key, name);
            }

            return name;
        }
    }

    /// <inheritdoc/>
    public bool IsUnobserved(ulong contingent, out string? exception)
    {
        exception = null;
        ClrObject properties = runtime.Heap.GetObject(contingent);
        if (!properties.IsValid || !properties.TryReadObjectField("m_exceptionsHolder", out ClrObject holder) || holder.IsNull || !holder.IsValid
            || !holder.TryReadField("m_isHandled", out bool isHandled) || isHandled)
        {
            return false;
        }

        if (holder.TryReadObjectField("m_faultExceptions", out ClrObject list) && list is { IsNull: false, IsValid: true }
            && list.TryReadObjectField("_items", out ClrObject items) && items is { IsNull: false, IsValid: true, IsArray: true }
            && items.EnumerateReferences(carefully: true).FirstOrDefault() is { IsNull: false, IsValid: true } first
            && first.TryReadObjectField("_exception", out ClrObject thrown) && thrown is { IsNull: false, IsValid: true })
        {
            exception = TypeNames.Of(thrown.Type);
        }

        return true;
    }

    private static ulong Pointer(ClrObject target, string field) => target.TryReadField(field, out ulong value) ? value : 0;

    private AsyncType WithCode(AsyncType layout, ClrType type) => layout.Kind switch
    {
        AsyncTypeKind.Machine => layout with { Code = places?.OfStateMachine(type) },
        AsyncTypeKind.Method or AsyncTypeKind.PooledMethod when layout.Machine < 0 =>
            layout with { Code = places?.OfStateMachine(type.GetFieldByName("StateMachine")?.Type) },
        _ => layout,
    };

    private static AsyncType Make(ClrType type)
    {
        string name = TypeNames.Of(type) ?? "an object of unknown type";
        if (type.IsValueType || type.IsArray)
        {
            return Other(name, SafeText.Clean(TypeNames.Short(name), LongestName)) with { Role = ReferenceRoles.Of(name, type.IsArray) };
        }

        string operation = SafeText.Clean(AwaitedOperations.Of(name), LongestName);
        return Ancestor(type) switch
        {
            "System.Threading.Tasks.Task" when name.StartsWith(RuntimeAsyncLayout.Task, StringComparison.Ordinal) =>
                Sized(TaskLayout(type, "async method") with { Suspended = At(type, "m_stateObject"), Callback = -1, IsPlain = false }),
            "System.Threading.Tasks.Task" => type.GetFieldByName("StateMachine") is { } machine
                ? StateMachineLayout.Of(AsyncTypeKind.Method, type, machine)
                : TaskLayout(type, operation),
            "System.Threading.SemaphoreSlim" => Sized(new AsyncType(AsyncTypeKind.Semaphore, operation, 0)
            {
                Link = At(type, "m_asyncHead"),
                Count = At(type, "m_currentCount"),
                Blocked = At(type, "m_waitCount"),
                Handle = At(type, "m_waitHandle"),
            }),
            "System.Threading.Tasks.TaskCompletionSource" => Sized(new AsyncType(AsyncTypeKind.CompletionSource, operation, 0)
            {
                Link = At(type, "_task", "m_task"),
            }),
            "System.Net.Sockets.SocketAsyncEventArgs" => Other(name, operation) with { Role = ReferenceRole.Operation },
            "System.Delegate" => Sized(new AsyncType(AsyncTypeKind.Callback, operation, 0) { Callback = At(type, "_target") }),
            "System.Threading.Tasks.AwaitTaskContinuation" or "System.Runtime.CompilerServices.AsyncMethodBuilderCore+ContinuationWrapper" =>
                Sized(new AsyncType(AsyncTypeKind.Continuation, operation, 0) { Callback = At(type, "m_action", "_continuation") }),
            "System.Threading.Tasks.TaskContinuation" => Sized(new AsyncType(AsyncTypeKind.TaskContinuation, operation, 0)
            {
                Link = At(type, "m_task"),
            }),
            "System.Collections.Generic.List<System.Object>" => Sized(new AsyncType(AsyncTypeKind.ContinuationList, operation, 0)
            {
                Link = At(type, "_items"),
                Count = At(type, "_size"),
            }),
            RuntimeAsyncLayout.TaskContinuation => Sized(new AsyncType(AsyncTypeKind.Continuation, operation, 0)
            {
                Callback = At(type, "RuntimeAsyncTask"),
                Link = At(type, "Task"),
            }),
            "Pooled" => StateMachineLayout.Of(AsyncTypeKind.PooledMethod, type, type.GetFieldByName("StateMachine")!),
            _ when name.Contains(">d", StringComparison.Ordinal) && type.GetFieldByName("<>1__state") is not null
                && type.GetFieldByName("<>t__builder") is not null =>
                StateMachineLayout.OfMachine(type),
            _ when name == "System.Threading.ThreadPoolWorkQueue+WorkStealingQueue" => Sized(new AsyncType(AsyncTypeKind.WorkQueue, operation, 0)
            {
                Link = At(type, "m_array"),
            }),
            _ => Other(name, operation) with
            {
                Role = ReferenceRoles.Of(name, isArray: false),
                Count = name == ReferenceRoles.TimerType ? At(type, "_dueTime", "m_dueTime") : -1,
                Use = name.StartsWith(Channels, StringComparison.Ordinal) ? At(type, "_currentId") : -1,
            },
        };
    }

    private static int At(ClrType type, params ReadOnlySpan<string> names) => FieldOffsets.Of(type, names) ?? -1;

    private static AsyncType Other(string name, string words) => new(AsyncTypeKind.Other, words, 0)
    {
        IsOfThreading = name.StartsWith("System.Threading.", StringComparison.Ordinal)
            || name.StartsWith("System.Collections.Concurrent.", StringComparison.Ordinal),
    };

    private static AsyncType TaskLayout(ClrType type, string operation) => Sized(new AsyncType(AsyncTypeKind.Task, operation, 0)
    {
        Flags = At(type, "m_stateFlags"),
        Continuation = At(type, "m_continuationObject"),
        Callback = At(type, "m_action"),
        Contingent = At(type, "m_contingentProperties"),
        Scheduler = At(type, "m_taskScheduler"),

        IsPlain = type.Name is { } name && (name == "System.Threading.Tasks.Task"
            || (name.StartsWith("System.Threading.Tasks.Task<", StringComparison.Ordinal) && name.EndsWith('>')
                && !name.Contains(">+", StringComparison.Ordinal))),

        AwaitsAll = AwaitedOperations.AwaitsAll(type.Name),

        // The waiters of a semaphore are chained.
        Link = At(type, "Next"),
        Handle = operation == AwaitedOperations.Delay ? At(type, "_timer") : -1,
    });

    /// <summary>The layout with the number of bytes that it needs.</summary>
    internal static AsyncType Sized(AsyncType type) => type with
    {
        Size = Math.Min(LargestObject, sizeof(ulong) + ((ReadOnlySpan<int>)
        [
            type.Flags, type.Continuation, type.Callback, type.Contingent, type.State, type.Machine, type.Link, type.Count,
            type.Blocked, type.Handle, type.Suspended,
            .. type.Machine < 0 ? type.Awaiters : [],
        ]).ToArray().Max()),
    };

    /// <summary>The base type that decides what an object is, or null.</summary>
    private static string? Ancestor(ClrType type)
    {
        if (type.Name is { } own && own.Contains("PoolingAsyncValueTaskMethodBuilder<", StringComparison.Ordinal)
            && own.Contains("+StateMachineBox<", StringComparison.Ordinal) && type.GetFieldByName("StateMachine") is not null)
        {
            return "Pooled";
        }

        ClrType? current = type;
        for (int i = 0; current is not null && i < MostBaseTypes; i++, current = current.BaseType)
        {
            switch (current.Name)
            {
                case "System.Threading.Tasks.Task" or "System.Threading.SemaphoreSlim" or "System.Threading.Tasks.TaskCompletionSource" or "System.Delegate"
                    or "System.Threading.Tasks.AwaitTaskContinuation" or "System.Collections.Generic.List<System.Object>"
                    or "System.Runtime.CompilerServices.AsyncMethodBuilderCore+ContinuationWrapper" or "System.Threading.Tasks.TaskContinuation"
                    or "System.Net.Sockets.SocketAsyncEventArgs" or RuntimeAsyncLayout.TaskContinuation:
                    return current.Name;
                case { } name when name.StartsWith("System.Threading.Tasks.TaskCompletionSource<", StringComparison.Ordinal):
                    return "System.Threading.Tasks.TaskCompletionSource";
            }
        }

        return null;
    }
}

/// <summary>
/// Where a compiler-made state machine keeps the number of its await (<c>&lt;&gt;1__state</c>) and what it awaits (<c>&lt;&gt;u__N</c>; Roslyn,
/// GeneratedNames). An awaiter of the class library has its task in <c>m_task</c> or, for a ValueTask, in <c>_obj</c>, one or two structs deep; of others the
/// first reference counts.
/// </summary>
internal static class StateMachineLayout
{
    private const int LongestName = 256;
    private const int DeepestStruct = 4;

    /// <summary>The layout of the object that keeps a state machine, or refers to it.</summary>
    /// <param name="kind">What the object is.</param>
    /// <param name="type">Its type.</param>
    /// <param name="field">The field with the machine.</param>
    public static AsyncType Of(AsyncTypeKind kind, ClrType type, ClrInstanceField field)
    {
        // In optimised builds the machine is a struct inside of the object.
        int start = field.Offset + MethodTableLayout.Fields;
        AsyncType layout = field.IsObjectReference || field.Type is null
            ? new AsyncType(kind, NameOf(MachineIn(TypeNames.Of(type))), 0) { Machine = start }
            : OfMachine(kind, field.Type, start);
        return AsyncTypes.Sized(layout with
        {
            Flags = Offset(type, "m_stateFlags"),
            Continuation = Offset(type, "m_continuationObject"),
            Contingent = Offset(type, "m_contingentProperties"),
        });
    }

    /// <summary>The layout of a machine that is an object of its own.</summary>
    public static AsyncType OfMachine(ClrType machine) => AsyncTypes.Sized(OfMachine(AsyncTypeKind.Machine, machine, MethodTableLayout.Fields));

    private static AsyncType OfMachine(AsyncTypeKind kind, ClrType machine, int start) => new(kind, NameOf(TypeNames.Of(machine)), 0)
    {
        State = Within(machine.GetFieldByName("<>1__state"), start),
        Awaiters = [.. AwaitersOf(machine, start).Where(o => o is >= 0 and <= AsyncTypes.LargestObject - sizeof(ulong))],
        IsIterator = machine.GetFieldByName("<>v__promiseOfValueOrEnd") is not null,
    };

    private static IEnumerable<int> AwaitersOf(ClrType machine, int start)
    {
        foreach (ClrInstanceField field in machine.Fields.Where(f => f.Name?.StartsWith("<>u__", StringComparison.Ordinal) == true))
        {
            int at = start + field.Offset;
            if (field.IsObjectReference)
            {
                yield return at;
            }
            else if (field.Type is { } awaiter && Reference(awaiter, at, 0) is { } reference)
            {
                yield return reference;
            }
        }
    }

    private static int? Reference(ClrType awaiter, int start, int depth)
    {
        ClrInstanceField? own = awaiter.Fields.FirstOrDefault(f => f.IsObjectReference && f.Name is "m_task" or "_obj")
            ?? awaiter.Fields.FirstOrDefault(f => f.IsObjectReference);
        return own is not null ? start + own.Offset
            : depth >= DeepestStruct ? null
            : awaiter.Fields.Where(f => f.ElementType == ClrElementType.Struct && f.Type is not null)
                .Select(f => Reference(f.Type!, start + f.Offset, depth + 1)).FirstOrDefault(r => r is not null);
    }

    private static string NameOf(string? machine) =>
        SafeText.Clean(machine is not null ? MethodNames.Of(machine, "MoveNext") : "an async method of unknown name", LongestName);

    /// <summary>The machine's type by that of the object that refers to it, which has none any more once the method has ended.</summary>
    private static string? MachineIn(string? type)
    {
        const string Box = "StateMachineBox<";
        int at = type?.IndexOf(Box, StringComparison.Ordinal) ?? -1;
        return at < 0 || !type!.EndsWith('>') ? type : type[(at + Box.Length)..^1];
    }

    private static int Offset(ClrType type, string name) => Within(type.GetFieldByName(name), MethodTableLayout.Fields);

    private static int Within(ClrInstanceField? field, int start) =>
        field is { Offset: >= 0 and < AsyncTypes.LargestObject - 64 } ? field.Offset + start : -1;
}
