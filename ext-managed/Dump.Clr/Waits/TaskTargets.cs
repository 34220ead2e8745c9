using System.Globalization;
using Dump.Clr.Frames;
using Dump.Clr.Tasks;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Waits;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Waits;

/// <summary>Tasks that a thread waits for.</summary>
internal static class TaskTargets
{
    private const int MostTasks = 4_096;
    private const int MostPending = 64;
    private const string List = "System.Collections.Generic.List<System.Threading.Tasks.Task>";

    /// <summary>The task of <c>Wait</c>, <c>Result</c> or <c>GetResult</c>.</summary>
    /// <param name="thread">The waiting thread.</param>
    /// <param name="wait">Its wait.</param>
    /// <param name="isOwnTask">True for the address of a task that the thread itself runs.</param>
    public static WaitTarget[] One(ManagedThread thread, WaitCall wait, Func<ulong, bool> isOwnTask)
    {
        (ClrObject? found, bool isOwn) = TargetChoice.Of(wait.Objects(thread).Where(o => o.Type is { } type && TaskTypes.IsTask(type)),
            o => isOwnTask(o.Address));
        return found is not { } task ? []
            : [Task(task, $"first task that the frames of {wait.Function.Type}.{wait.Function.Method} refer to")
                with { Grade = isOwn ? Grade.Suspected : Grade.Derived }];
    }

    /// <summary>The tasks of <c>WaitAll</c> that have not completed: each of them keeps the thread.</summary>
    public static WaitTarget[] All(ManagedThread thread, WaitCall wait) =>
        [.. Tasks(thread, wait).Where(t => TaskReader.StateOf(t) == TaskState.Pending).Take(MostPending)
            .Select(t => Task(t, "one of the tasks of Task.WaitAll that have not completed"))];

    /// <summary>The tasks of <c>WaitAny</c> as one signal without an owner.</summary>
    public static WaitTarget[] Any(ManagedThread thread, WaitCall wait)
    {
        ClrObject promise = wait.Objects(thread).FirstOrDefault(o => o.Type is { } type && TaskTypes.IsTask(type));
        if (promise.Type is null)
        {
            return [];
        }

        int count = promise.TryReadObjectField("_tasks", out ClrObject tasks) && tasks is { IsNull: false, IsArray: true } ? tasks.AsArray().Length : 0;
        string which = count > 0 ? string.Create(CultureInfo.InvariantCulture, $"any of {count} tasks (Task.WaitAny)") : "any of several tasks (Task.WaitAny)";
        return
        [
            new WaitTarget(
                new Resource(ResourceKind.ManagedSignal, promise.Address), null, Grade.Derived,
                new Evidence(EvidenceSource.Runtime, "first task that the frames of Task.WaitAny refer to: the promise that any of its tasks completes",
                    promise.Address))
            {
                Description = new ResourceDescription(which, null),
                IsAny = true,
            },
        ];
    }

    private static WaitTarget Task(ClrObject task, string why) => new(
        new Resource(ResourceKind.ManagedTask, task.Address), TaskReader.NameOf(task), Grade.Derived, new Evidence(EvidenceSource.Runtime, why, task.Address));

    /// <summary>The list of tasks that WaitAll still waits for, or the array that it was given.</summary>
    private static IEnumerable<ClrObject> Tasks(ManagedThread thread, WaitCall wait)
    {
        ClrObject[] objects = [.. wait.Objects(thread)];
        ClrObject list = objects.FirstOrDefault(o => o.Type?.Name == List);
        ClrObject array = list.Type is not null && list.TryReadObjectField("_items", out ClrObject items)
            ? items
            : objects.FirstOrDefault(o => o.Type?.Name == "System.Threading.Tasks.Task[]");
        return array is { IsNull: false, IsArray: true }
            ? array.EnumerateReferences(carefully: true).Where(o => o.Type is { } type && TaskTypes.IsTask(type)).Take(MostTasks).DistinctBy(o => o.Address)
            : [];
    }
}
