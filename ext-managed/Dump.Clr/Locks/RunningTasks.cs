using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Locks;

/// <summary>Which thread runs which task: the thread static <c>Task.t_currentTask</c>.</summary>
internal static class RunningTasks
{
    /// <summary>Threads by the address of the task that they run.</summary>
    public static IReadOnlyDictionary<ulong, ClrThread> Read(ClrRuntime runtime, ManagedThreads threads)
    {
        Dictionary<ulong, ClrThread> running = [];
        ClrThreadStaticField? current =
            runtime.BaseClassLibrary?.GetTypeByName("System.Threading.Tasks.Task")?.ThreadStaticFields.FirstOrDefault(f => f.Name == "t_currentTask");
        if (current is null)
        {
            return running;
        }

        foreach (ClrThread thread in threads.Live)
        {
            if (current.IsInitialized(thread) && current.ReadObject(thread) is { IsNull: false, IsValid: true } task)
            {
                running.TryAdd(task.Address, thread);
            }
        }

        return running;
    }
}
