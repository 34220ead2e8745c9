using System.Collections.Immutable;
using Dump.Clr.Frames;
using Dump.Model.Managed;
using Dump.Model.Text;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Tasks;

/// <summary>Describes the threads that block in tasks which no thread is known to run.</summary>
internal sealed class TaskWaitReader(ClrRuntime runtime, ManagedThreadObjects threads, ManagedPlaces places)
{
    /// <summary>Describes one.</summary>
    /// <param name="thread">The blocked thread.</param>
    /// <param name="task">Address of the task that it blocks in.</param>
    public TaskWait Read(ManagedThread thread, ulong task)
    {
        ImmutableArray<AwaitStep> steps = TaskReader.Steps(runtime.Heap.GetObject(task), places);
        SynchronizationContextFact? own = ContextOf(thread);
        ulong?[] contexts = [.. steps.DistinctBy(s => s.Task).SelectMany(s => SuspendedCalls.Of(runtime.Heap.GetObject(s.Task))?.Contexts ?? [])
            .Select(c => (ulong?)c), .. steps.Skip(1).Where(s => s.State == TaskState.Pending)
            .Select(s => TaskReader.ContinuationContext(runtime.Heap.GetObject(s.Task)))];
        return new TaskWait(thread.Id, steps, own, Deciding(contexts, own?.Address));
    }

    /// <summary>
    /// The context that decides whether the chain can go on. A method goes on in the context to which the continuation of the
    /// task that it awaits must be sent; each of the methods must, so one that needs the blocked thread's own is enough. What
    /// else waits for the first task, in which the thread itself blocks, does not keep that task from completing.
    /// </summary>
    /// <param name="contexts">Contexts of the continuations of the pending tasks behind the first one, in the order of the chain; null for one without.</param>
    /// <param name="own">The blocked thread's context.</param>
    internal static ulong? Deciding(IReadOnlyList<ulong?> contexts, ulong? own) => own is not null && contexts.Contains(own) ? own : contexts.LastOrDefault();

    private SynchronizationContextFact? ContextOf(ManagedThread thread)
    {
        if (threads.Of(thread.Thread) is not { } target
            || !target.TryReadObjectField("_synchronizationContext", out ClrObject context)
            || context is not { IsNull: false, Type: { Name: { } type } contextType })
        {
            return null;
        }

        bool isServed = thread.Code.Any(f => f.Method?.Type is { } declaring && declaring.MethodTable == contextType.MethodTable);
        return new SynchronizationContextFact(context.Address, SafeText.Clean(type, 256), isServed) { ServingThread = DispatcherThread(context) };
    }

    /// <summary>
    /// The thread that a context of WPF sends to, or null for other contexts (DispatcherSynchronizationContext._dispatcher, Dispatcher._dispatcherThread;
    /// dotnet/wpf, src/Microsoft.DotNet.Wpf/src/WindowsBase/System/Windows/Threading).
    /// </summary>
    private uint? DispatcherThread(ClrObject context) =>
        context.Type?.Name == "System.Windows.Threading.DispatcherSynchronizationContext"
        && context.TryReadObjectField("_dispatcher", out ClrObject dispatcher) && !dispatcher.IsNull
        && dispatcher.TryReadObjectField("_dispatcherThread", out ClrObject target) && !target.IsNull
        && target.TryReadField("_managedThreadId", out int id)
        && runtime.Threads.FirstOrDefault(t => t.ManagedThreadId == id && t.OSThreadId != 0) is { } serving
            ? serving.OSThreadId
            : null;
}
