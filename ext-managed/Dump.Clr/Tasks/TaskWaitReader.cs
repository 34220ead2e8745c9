using Dump.Clr.Frames;
using Dump.Model;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Tasks;

/// <summary>Describes the threads that block in tasks which no thread runs.</summary>
internal sealed class TaskWaitReader(ClrRuntime runtime, ManagedThreadObjects threads)
{
    /// <summary>Describes one.</summary>
    /// <param name="thread">The blocked thread.</param>
    /// <param name="task">Address of the task that it blocks in.</param>
    public TaskWait Read(ManagedThread thread, ulong task)
    {
        var steps = TaskReader.Steps(runtime.Heap.GetObject(task));
        AwaitStep? pending = steps.LastOrDefault(s => s.State == TaskState.Pending);
        ulong? context = pending is null ? null : TaskReader.ContinuationContext(runtime.Heap.GetObject(pending.Task));
        return new TaskWait(thread.Id, steps, ContextOf(thread), context);
    }

    private SynchronizationContextFact? ContextOf(ManagedThread thread)
    {
        if (threads.Of(thread.Thread) is not { } target
            || !target.TryReadObjectField("_synchronizationContext", out ClrObject context)
            || context is not { IsNull: false, Type: { Name: { } type } contextType })
        {
            return null;
        }

        bool isServed = thread.Code.Any(f => f.Method?.Type is { } declaring && declaring.MethodTable == contextType.MethodTable);
        return new SynchronizationContextFact(context.Address, SafeText.Clean(type, 256), isServed);
    }
}
