using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Tasks;

/// <summary>
/// What cannot complete before a task has: async methods that await it, promises that all of several tasks complete, tasks that continue it, and the task whose
/// attached child it is. What any one of several tasks completes is left out. Fields: dotnet/runtime,
/// src/libraries/System.Private.CoreLib/src/System/Threading/Tasks/Task.cs, TaskContinuation.cs, Sources/ManualResetValueTaskSourceCore.cs; the same in
/// .NET Core 3.1 to .NET 10.
/// </summary>
internal static class TaskContinuations
{
    private const int MostInList = 4_096;
    private const int DeepestWrapper = 4;
    private static readonly string[] s_all =
        ["System.Threading.Tasks.Task+WhenAllPromise", "System.Threading.Tasks.Task+WhenAllPromise<", "System.Threading.Tasks.UnwrapPromise<"];

    /// <summary>The tasks and boxes of async methods that need a task, or a pooled box, to complete first.</summary>
    public static IEnumerable<ClrObject> Of(ClrObject task)
    {
        foreach (ClrObject continuation in Continuations(task))
        {
            if (Dependent(continuation, 0) is { Type: not null } dependent)
            {
                yield return dependent;
            }
        }

        if (Parent(task) is { Type: not null } parent)
        {
            yield return parent;
        }
    }

    private static IEnumerable<ClrObject> Continuations(ClrObject task)
    {
        ClrObject continuation = Continuation(task);
        if (continuation.Type?.Name == "System.Collections.Generic.List<System.Object>")
        {
            return continuation.TryReadObjectField("_items", out ClrObject items) && items is { IsNull: false, IsArray: true, IsValid: true }
                ? items.EnumerateReferences(carefully: true).Take(MostInList)
                : [];
        }

        return continuation.Type is null ? [] : [continuation];
    }

    private static ClrObject Continuation(ClrObject task)
    {
        if (task.TryReadObjectField("m_continuationObject", out ClrObject continuation))
        {
            return continuation is { IsNull: false, IsValid: true } ? continuation : default;
        }

        // A value task's source: the state is the box of the method that awaits it.
        return task.Type?.GetFieldByName("_valueTaskSource") is { ElementType: ClrElementType.Struct, Type: { } core } source
            && core.GetFieldByName("_continuationState") is { IsObjectReference: true } state
            && state.ReadObject(source.GetAddress(task.Address), interior: true) is { IsNull: false, IsValid: true } box
            ? box
            : default;
    }

    /// <summary>What a continuation object completes or resumes, or nothing.</summary>
    private static ClrObject Dependent(ClrObject continuation, int depth)
    {
        if (continuation is not { IsNull: false, IsValid: true, Type: { Name: { } name } type } || depth > DeepestWrapper)
        {
            return default;
        }

        if (AsyncMethodBoxes.IsBox(type) || s_all.Any(p => p.EndsWith('<') ? name.StartsWith(p, StringComparison.Ordinal) : name == p))
        {
            return continuation;
        }

        return continuation switch
        {
            _ when name == RuntimeAsyncLayout.TaskContinuation => Field(continuation, "RuntimeAsyncTask"),
            { IsDelegate: true } => Dependent(Field(continuation, "_target"), depth + 1),
            _ when name == "System.Runtime.CompilerServices.AsyncMethodBuilderCore+ContinuationWrapper" =>
                Dependent(Field(continuation, "_continuation"), depth + 1),
            _ when type.GetFieldByName("m_action") is not null && name.EndsWith("AwaitTaskContinuation", StringComparison.Ordinal) =>
                Dependent(Field(continuation, "m_action"), depth + 1),
            _ when name is "System.Threading.Tasks.ContinueWithTaskContinuation" or "System.Threading.Tasks.StandardTaskContinuation" =>
                Field(continuation, "m_task"),
            _ => default,
        };
    }

    /// <summary>The task that waits for this one as its attached child, or nothing.</summary>
    private static ClrObject Parent(ClrObject task) =>
        task.TryReadField("m_stateFlags", out int flags) && (flags & TaskFlags.AttachedToParent) != 0
            ? Field(Field(task, "m_contingentProperties"), "m_parent")
            : default;

    private static ClrObject Field(ClrObject target, string name) =>
        target is { IsNull: false, IsValid: true, Type: not null } && target.TryReadObjectField(name, out ClrObject value)
            && value is { IsNull: false, IsValid: true }
            ? value
            : default;
}
