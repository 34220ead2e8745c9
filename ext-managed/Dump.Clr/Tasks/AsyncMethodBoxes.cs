using Dump.Clr.Frames;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Tasks;

/// <summary>
/// The objects in which async methods live from their first await on. That of a method which returns a task is the task itself
/// (<c>AsyncTaskMethodBuilder&lt;T&gt;.AsyncStateMachineBox&lt;M&gt;</c>), that of a pooled one which returns a value task is none
/// (<c>PoolingAsyncValueTaskMethodBuilder&lt;T&gt;.StateMachineBox&lt;M&gt;</c>); dotnet/runtime,
/// src/libraries/System.Private.CoreLib/src/System/Runtime/CompilerServices, the same in .NET Core 3.1 to .NET 10.
/// </summary>
internal static class AsyncMethodBoxes
{
    private const string Task = "System.Runtime.CompilerServices.AsyncTaskMethodBuilder<";
    private const string Pooled = "System.Runtime.CompilerServices.PoolingAsyncValueTaskMethodBuilder<";

    /// <summary>True for the type of such an object.</summary>
    public static bool IsBox(ClrType? type) => IsBox(type?.Name) && type!.GetFieldByName("StateMachine") is not null;

    /// <summary>
    /// The boxes that a thread runs, innermost first: each stands in a frame of its own <c>MoveNext</c>, whose first reference it is. One that has completed is
    /// left out: the thread then runs what waited for it.
    /// </summary>
    public static IEnumerable<ClrObject> RunBy(ManagedThread thread)
    {
        ManagedFrame[] code = [.. thread.Code.Where(f => f.IsCoreLibrary)];
        HashSet<ulong> boxes = [.. code.Where(f => IsBox(f.TypeName)).Select(f => f.StackPointer)];
        HashSet<ulong> dispatches = [.. code.Where(IsDispatch).Select(f => f.StackPointer)];
        return boxes.Count + dispatches.Count == 0 ? []
            : thread.Roots.Where(r => r.FrameStackPointer is { } at
                && ((boxes.Contains(at) && IsBox(r.Object.Type)) || (dispatches.Contains(at) && SuspendedCalls.IsTask(r.Object))))
                .GroupBy(r => r.FrameStackPointer)
                .Select(g => g.First().Object)
                .Where(b => TaskReader.StateOf(b) != Model.Managed.TaskState.Completed)
                .DistinctBy(b => b.Address);
    }

    /// <summary>True for the frame in which the runtime goes on with what it had suspended (.NET 11); its task is the first of its type that it refers to.</summary>
    private static bool IsDispatch(ManagedFrame frame) =>
        frame is { MethodName: "DispatchContinuations", TypeName: { } type } && type.StartsWith(RuntimeAsyncLayout.Task[..^1], StringComparison.Ordinal);

    private static bool IsBox(string? type) => type is not null && type.Contains("StateMachineBox<", StringComparison.Ordinal)
        && (type.StartsWith(Task, StringComparison.Ordinal) || type.StartsWith(Pooled, StringComparison.Ordinal));
}
