using System.Collections.Immutable;
using System.Globalization;
using Dump.Clr.Frames;
using Dump.Clr.Locks;
using Dump.Clr.Tasks;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Text;
using Dump.Model.Waits;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Waits;

/// <summary>What a thread waits for.</summary>
/// <param name="Resource">The resource.</param>
/// <param name="Name">Its name, which is shown in quotation marks: a type or a method; or null.</param>
/// <param name="Grade">How well it is known.</param>
/// <param name="Evidence">Why.</param>
internal sealed record WaitTarget(Resource Resource, string? Name, Grade Grade, Evidence Evidence)
{
    /// <summary>What it is in its users' words, in place of kind and name, or null.</summary>
    public ResourceDescription? Description { get; init; }

    /// <summary>What other sources say of the same wait.</summary>
    public ImmutableArray<Evidence> Confirmation { get; init; } = [];

    /// <summary>True when the resource stands for several objects of which any one ends the wait.</summary>
    public bool IsAny { get; init; }
}

/// <summary>Finds the object that a thread waits for among the objects that the frames of its wait refer to.</summary>
internal static class WaitTargets
{
    private const string Lazy = "System.Lazy<";

    /// <summary>The targets of a wait, several only where all of them must end; empty when none of the objects can be one.</summary>
    /// <param name="thread">The waiting thread.</param>
    /// <param name="wait">Its wait.</param>
    /// <param name="objects">The threads' objects.</param>
    /// <param name="isOwnTask">True for the address of a task that the thread itself runs.</param>
    public static IReadOnlyList<WaitTarget> Find(ManagedThread thread, WaitCall wait, ManagedThreadObjects objects, Func<ulong, bool> isOwnTask) => wait.Function.Kind switch
    {
        // The frame that enters a monitor holds exactly one object reference, the monitor's object: its first root.
        // From .NET 11 on it enters the lock that the object's sync block has.
        ManagedWaitKind.MonitorEnter when wait.EntersLock => From(thread, wait, ResourceKind.ManagedLock, t => t.Name == ManagedLockOwners.TypeName),
        ManagedWaitKind.MonitorEnter => From(thread, wait, ResourceKind.Monitor, _ => true),
        ManagedWaitKind.Lock => From(thread, wait, ResourceKind.ManagedLock, t => t.Name == ManagedLockOwners.TypeName),
        ManagedWaitKind.ReaderWriterLock =>
            From(thread, wait, ResourceKind.ManagedReaderWriterLock, t => t.Name is "System.Threading.ReaderWriterLockSlim" or LegacyReaderWriterLock.TypeName),
        ManagedWaitKind.Task => TaskTargets.One(thread, wait, isOwnTask),
        ManagedWaitKind.AllTasks => TaskTargets.All(thread, wait),
        ManagedWaitKind.AnyTask => TaskTargets.Any(thread, wait),
        ManagedWaitKind.MonitorWait => SignalTargets.Condition(thread, wait),
        ManagedWaitKind.Signal => SignalTargets.Find(thread, wait),
        ManagedWaitKind.Handle => HandleTargets.One(thread, wait),
        ManagedWaitKind.AllHandles => HandleTargets.All(thread, wait),
        ManagedWaitKind.AnyHandle => HandleTargets.Any(thread, wait),
        ManagedWaitKind.SpinLock => SpinLockTargets.Find(thread, wait),
        ManagedWaitKind.Join => Join(thread, wait, objects),
        ManagedWaitKind.Finalizers or ManagedWaitKind.Suspension or ManagedWaitKind.ProcessExit or ManagedWaitKind.Callback =>
            RuntimeWorkTargets.Find(thread, wait),
        _ => [],
    };

    private static WaitTarget[] From(ManagedThread thread, WaitCall wait, ResourceKind kind, Func<ClrType, bool> fits)
    {
        ClrObject target = wait.Objects(thread).FirstOrDefault(o => o.Type is { } type && fits(type));
        return target.Type is null || wait.IsInsideCaller ? [] :
        [
            new WaitTarget(
                new Resource(kind, target.Address),
                NameOf(thread, target),
                Grade.Derived,
                new Evidence(EvidenceSource.Runtime, $"first object that the frames of {wait.Function.Type}.{wait.Function.Method} refer to", target.Address))
            {
                Description = LegacyReaderWriterLock.Is(target) ? new ResourceDescription("ReaderWriterLock", null) : null,
            },
        ];
    }

    /// <summary>The monitor inside of a <c>Lazy</c> is named after it.</summary>
    private static string? NameOf(ManagedThread thread, ClrObject target) =>
        target.Type?.Name == "System.LazyHelper"
            && thread.Roots.FirstOrDefault(r => r.Object.Type?.Name?.StartsWith(Lazy, StringComparison.Ordinal) == true) is { Object.Type: { } lazy }
            ? TypeNames.Of(lazy)
            : TypeNames.OfObject(target);

    /// <summary>The thread object that is joined names the thread, which "holds" its own end.</summary>
    private static WaitTarget[] Join(ManagedThread thread, WaitCall wait, ManagedThreadObjects objects)
    {
        bool IsOwn(ClrObject candidate) => candidate.TryReadField("_managedThreadId", out int own) && own == thread.Thread.ManagedThreadId;
        ClrObject[] candidates = [.. wait.Objects(thread).Where(o => o.Type?.Name == "System.Threading.Thread").DistinctBy(o => o.Address)];
        bool isByEvent = candidates.Length == 0;
        if (isByEvent)
        {
            candidates = [.. objects.EndedBy(wait.Objects(thread).Where(o => o.Type?.Name == HandleTargets.SafeHandle).Select(o => o.Address))];
        }

        (ClrObject? found, bool isOwn) = TargetChoice.Of(candidates, IsOwn);
        bool isAmbiguous = wait.IsInsideCaller && candidates.Count(c => !IsOwn(c)) > 1;
        if (found is not { } target || !target.TryReadField("_managedThreadId", out int id))
        {
            return [];
        }

        ClrThread? joined = thread.Thread.Runtime.Threads.FirstOrDefault(t => t.ManagedThreadId == id && t.OSThreadId != 0);
        return joined is null ? [] :
        [
            new WaitTarget(
                new Resource(ResourceKind.Thread, joined.OSThreadId),
                null,
                isOwn || isAmbiguous ? Grade.Suspected : Grade.Derived,
                new Evidence(EvidenceSource.Runtime, isByEvent
                    ? $"the event in the frames of Thread.Join is that of the end of managed thread {id} (Thread._joinEvent)"
                    : $"Thread object of managed thread {id} in the frames of Thread.Join", target.Address)),
        ];
    }
}

/// <summary>
/// The <c>SpinLock</c> that a thread polls: a struct inside of an object, which the frames of its methods
/// refer to. It is found when exactly one such object has exactly one field of the type.
/// </summary>
internal static class SpinLockTargets
{
    /// <summary>The lock, or nothing when several can be it.</summary>
    public static WaitTarget[] Find(ManagedThread thread, WaitCall wait)
    {
        ulong outer = wait.Run[^1].StackPointer;
        ClrObject[] owners = [.. thread.Interiors.Where(r => r.FrameStackPointer is { } sp && sp <= outer).Select(r => r.Object).DistinctBy(o => o.Address)
            .Where(o => Locks(o).Any())];
        if (owners is not [var owner] || Locks(owner).ToArray() is not [var (address, field)])
        {
            return [];
        }

        string name = $"{TypeNames.Of(owner.Type) ?? "?"}{(field is null ? "" : $".{SafeText.Clean(field, 128)}")}";
        return
        [
            new WaitTarget(
                new Resource(ResourceKind.SpinLock, address), name, Grade.Derived,
                new Evidence(EvidenceSource.Runtime, $"the only SpinLock in the object that the frames of {wait.Function.Type}.{wait.Function.Method} refer to",
                    owner.Address)),
        ];
    }

    /// <summary>Addresses of the lock structs in an object, with their fields' names; a boxed one is the object itself.</summary>
    private static IEnumerable<(ulong Address, string? Field)> Locks(ClrObject target) => target.Type switch
    {
        null => [],
        { Name: SpinLockOwners.TypeName } => [(target.Address + (ulong)IntPtr.Size, null)],
        var type => type.Fields.Where(f => f.Type?.Name == SpinLockOwners.TypeName).Select(f => (f.GetAddress(target.Address), f.Name)),
    };
}

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

/// <summary>
/// Chooses what a thread waits for among the objects of its frames. A thread's own object (its <c>Thread</c>, the task that it runs) stands in frames for other
/// reasons too, and taken for the target it would make the thread wait for itself: another one goes first, and alone it is only a suspicion.
/// </summary>
internal static class TargetChoice
{
    /// <summary>Takes the first candidate that is not the thread's own, else its own.</summary>
    /// <param name="candidates">Objects of the right kind, in the order of the stack.</param>
    /// <param name="isOwn">True for the thread's own.</param>
    /// <returns>The object, and whether it is the thread's own; no object when there is no candidate.</returns>
    public static (T? Target, bool IsOwn) Of<T>(IEnumerable<T> candidates, Func<T, bool> isOwn)
        where T : struct
    {
        T? own = null;
        foreach (T candidate in candidates)
        {
            if (!isOwn(candidate))
            {
                return (candidate, false);
            }

            own ??= candidate;
        }

        return (own, own is not null);
    }
}
