using System.Collections.Immutable;
using Dump.Clr.Frames;
using Dump.Model.Managed;
using Dump.Model.Process;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Tasks;

/// <summary>
/// Methods of tasks that have no frame: the runtime compiles the class library's code that calls delegates anew when it has been called often, with the
/// delegate inside
/// that is called most (dotnet/runtime, docs/design/features/GuardedDevirtualization.md). Without them the thread of a task in such code shows nothing of the
/// program.
/// The task that a thread runs says which method it is: <c>Task.t_currentTask</c>, whose delegate is there until it has returned.
/// </summary>
/// <param name="runtime">The runtime.</param>
/// <param name="places">Places of methods.</param>
/// <param name="isCareful">True to ask the data-access library for nothing, because it has crashed on this dump before.</param>
/// <param name="onFault">Called for each thread on which the library fails; null where nobody asks.</param>
internal sealed class InlinedDelegates(ClrRuntime runtime, ManagedPlaces places, bool isCareful, Action? onFault)
{
    private const string Namespace = "System.Threading.Tasks.";
    private const string Task = "System.Threading.Tasks.Task";
    private const string Context = "System.Threading.ExecutionContext";

    private readonly ClrThreadStaticField? _current =
        isCareful ? null : runtime.BaseClassLibrary?.GetTypeByName(Task)?.ThreadStaticFields.FirstOrDefault(f => f.Name == "t_currentTask");

    /// <summary>The frames of a thread, with that of its task's method where it has none of its own.</summary>
    /// <param name="thread">The thread.</param>
    /// <param name="frames">Its frames of code, innermost first.</param>
    public ImmutableArray<StackFrame> Add(ManagedThread thread, ImmutableArray<StackFrame> frames)
    {
        try
        {
            return frames.Length == thread.Code.Count && CallerOf(thread.Code) is { } caller && MethodOf(thread) is { } method && !IsOn(thread.Code, method)
                ? frames.Insert(caller, Frame(method, frames[caller])) : frames;
        }
        catch (Exception error) when (error is not OutOfMemoryException)
        {
            // The library documents no exceptions for damaged dumps: a frame less.
            onFault?.Invoke();
            return frames;
        }
    }

    /// <summary>
    /// The innermost frame of those by which the class library calls the delegate of the innermost task on a stack. They follow each other: what lies further
    /// in is the
    /// delegate's. Null where no task is run.
    /// </summary>
    /// <param name="code">The frames, innermost first.</param>
    internal static int? CallerOf(IReadOnlyList<ManagedFrame> code)
    {
        int task = 0;
        while (task < code.Count && code[task] is not { IsCoreLibrary: true, TypeName: Task, MethodName: "ExecuteWithThreadLocal" })
        {
            task++;
        }

        int caller = task;
        while (caller > 0 && caller < code.Count && Calls(code[caller - 1]))
        {
            caller--;
        }

        return task == code.Count ? null : caller;
    }

    private static bool Calls(ManagedFrame frame) => frame is { IsCoreLibrary: true, TypeName: { } type, MethodName: { } method }
        && (type == Context ? method is "RunInternal" or "RunFromThreadPoolDispatchLoop" or "RunForThreadPoolUnsafe"
            : type == Task + "+<>c" ? method.StartsWith("<.cctor>", StringComparison.Ordinal)
            : method == "InnerInvoke" && type.StartsWith(Namespace, StringComparison.Ordinal));

    private static bool IsOn(IReadOnlyList<ManagedFrame> code, ClrMethod method) => code.Any(f => f.Method is { } known
        && (known.MethodDesc == method.MethodDesc
            || (known.MetadataToken == method.MetadataToken && known.Type?.Module?.Address == method.Type?.Module?.Address)));

    /// <summary>The method of the delegate that the thread's task has called and that has not returned; null where none is known.</summary>
    private ClrMethod? MethodOf(ManagedThread thread) =>
        _current is not null && _current.IsInitialized(thread.Thread) && _current.ReadObject(thread.Thread) is { IsNull: false, IsValid: true, Type: { } type } task
            && TaskTypes.IsTask(type) && TaskReader.StateOf(task) == TaskState.Pending && task.TryReadField("m_stateFlags", out int flags)
            && (flags & TaskFlags.Invoked) != 0 && task.TryReadObjectField("m_action", out ClrObject action) && action is { IsNull: false, IsDelegate: true }
            ? action.AsDelegate().GetDelegateTarget()?.Method : null;

    /// <summary>Where in it the thread is, is not known: the place is its beginning.</summary>
    private StackFrame Frame(ClrMethod method, StackFrame caller) => new(
        caller.InstructionPointer, caller.StackPointer, new FrameMethod(method).ReportedModule, null, MethodNames.Of(method), null, FrameTrust.UnwindInfo,
        SymbolSource.Metadata)
    {
        IsInlined = true,
        Code = places.Of(method, 0) is { } place ? place with { Offset = 0, IsApproximate = true } : null,
    };
}
