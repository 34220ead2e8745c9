using Dump.Clr.Frames;
using Dump.Clr.Tasks;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Locks;

/// <summary>
/// Which thread runs which task. One with a delegate is the thread static <c>Task.t_currentTask</c>, or, where it has run another one within, stands in a frame
/// of <c>Task.ExecuteWithThreadLocal</c>; an async method's stands in a frame of its box. A task that needs another to complete is run by whoever runs that
/// one.
/// </summary>
internal sealed class RunningTasks
{
    private const int MostDependents = 100_000;
    private readonly ManagedThreads _threads;
    private readonly IReadOnlyDictionary<uint, ManagedThread> _stacks;
    private readonly ClrThreadStaticField? _current;
    private readonly Dictionary<uint, IReadOnlyList<RunTask>> _byThread = [];
    private readonly Lazy<Dictionary<ulong, List<LockOwner>>> _owners;

    public RunningTasks(ClrRuntime runtime, ManagedThreads threads, IReadOnlyDictionary<uint, ManagedThread> stacks)
    {
        _threads = threads;
        _stacks = stacks;
        _current = runtime.BaseClassLibrary?.GetTypeByName("System.Threading.Tasks.Task")?.ThreadStaticFields.FirstOrDefault(f => f.Name == "t_currentTask");
        _owners = new Lazy<Dictionary<ulong, List<LockOwner>>>(ReadOwners);
    }

    /// <summary>The threads that run a task, or what it needs to complete: each of them has to act. Empty when no thread is known to.</summary>
    public IEnumerable<LockOwner> OwnersOf(ulong task) => _owners.Value.TryGetValue(task, out List<LockOwner>? owners) ? owners : [];

    /// <summary>True when a thread itself runs the task.</summary>
    public bool IsRunBy(uint thread, ulong task) => _threads.WithId(thread) is { } known && RunBy(known).Any(t => t.Task.Address == task);

    private IReadOnlyList<RunTask> RunBy(ClrThread thread)
    {
        if (!_byThread.TryGetValue(thread.OSThreadId, out IReadOnlyList<RunTask>? tasks))
        {
            IEnumerable<RunTask> onStack = _stacks.TryGetValue(thread.OSThreadId, out ManagedThread? stack) ? OnStack(stack) : [];
            tasks = [.. Current(thread).Concat(onStack).DistinctBy(t => t.Task.Address)];
            _byThread.Add(thread.OSThreadId, tasks);
        }

        return tasks;
    }

    private IEnumerable<RunTask> Current(ClrThread thread) =>
        _current is not null && _current.IsInitialized(thread) && _current.ReadObject(thread) is { IsNull: false, IsValid: true } task
            ? [new RunTask(task, "Task.t_currentTask of that thread")]
            : [];

    private static IEnumerable<RunTask> OnStack(ManagedThread thread)
    {
        HashSet<ulong> frames = [.. thread.Code
            .Where(f => f is { IsCoreLibrary: true, TypeName: "System.Threading.Tasks.Task", MethodName: "ExecuteWithThreadLocal" })
            .Select(f => f.StackPointer)];
        IEnumerable<ClrObject> outer = frames.Count == 0 ? []
            : thread.Roots.Where(r => r.FrameStackPointer is { } at && frames.Contains(at)).Select(r => r.Object)
                .Where(o => o.Type is { } type && TaskTypes.IsTask(type) && TaskReader.StateOf(o) == TaskState.Pending
                    && o.TryReadField("m_stateFlags", out int flags) && (flags & TaskFlags.Invoked) != 0);
        return AsyncMethodBoxes.RunBy(thread).Select(b => new RunTask(b, "the async method's box in the frame of its MoveNext on that thread's stack"))
            .Concat(outer.Select(t => new RunTask(t, "Task.ExecuteWithThreadLocal on that thread's stack refers to it")));
    }

    private Dictionary<ulong, List<LockOwner>> ReadOwners()
    {
        Dictionary<ulong, List<LockOwner>> owners = [];
        foreach (ClrThread thread in _threads.Live)
        {
            foreach (RunTask run in RunBy(thread))
            {
                Add(owners, run.Task.Address, thread, new Evidence(EvidenceSource.Runtime, run.Why, run.Task.Address));
                foreach (ClrObject dependent in Dependents(run.Task))
                {
                    Add(owners, dependent.Address, thread, new Evidence(
                        EvidenceSource.Memory, $"it cannot complete before {TaskReader.NameOf(run.Task)}, by that task's continuations ({run.Why})",
                        run.Task.Address));
                }
            }
        }

        return owners;
    }

    /// <summary>Everything that needs the task to complete, directly or through others.</summary>
    private static IEnumerable<ClrObject> Dependents(ClrObject task)
    {
        HashSet<ulong> seen = [task.Address];
        Queue<ClrObject> open = new([task]);
        while (open.TryDequeue(out ClrObject next) && seen.Count < MostDependents)
        {
            foreach (ClrObject dependent in TaskContinuations.Of(next))
            {
                if (seen.Add(dependent.Address))
                {
                    open.Enqueue(dependent);
                    yield return dependent;
                }
            }
        }
    }

    private static void Add(Dictionary<ulong, List<LockOwner>> owners, ulong task, ClrThread thread, Evidence why)
    {
        if (!owners.TryGetValue(task, out List<LockOwner>? list))
        {
            owners.Add(task, list = []);
        }

        if (!list.Any(o => o.ThreadId == thread.OSThreadId))
        {
            list.Add(new LockOwner(thread.ManagedThreadId, thread.OSThreadId, null, why));
        }
    }

    private readonly record struct RunTask(ClrObject Task, string Why);
}
