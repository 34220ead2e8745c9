using Dump.Clr.Awaits;
using Dump.Clr.Frames;
using Dump.Model.Managed;

namespace Dump.Clr.Requests;

/// <summary>Where requests stand: at the end of the awaits of their async methods, or on a thread.</summary>
/// <param name="nodes">The tasks.</param>
/// <param name="graph">Who awaits whom.</param>
/// <param name="steps">Names what is awaited.</param>
/// <param name="ends">The objects that awaits end at.</param>
/// <param name="threads">Threads with their stacks.</param>
/// <param name="places">Knows the places of frames in the code.</param>
internal sealed class RequestWaits(
    AsyncNodes nodes, AwaitGraph graph, AwaitSteps steps, AwaitEnds ends, IReadOnlyCollection<ManagedThread> threads, ManagedPlaces places)
{
    private const int MostSteps = 256;
    private const string Semaphore = "SemaphoreSlim";
    private readonly Dictionary<uint, ManagedThread> _threads = threads.ToDictionary(t => t.Id);

    /// <summary>Where the method of a task stands, with the innermost method of the program's own.</summary>
    /// <param name="root">The task.</param>
    /// <param name="answer">What a task on the way stands for, in words, with its object: that is what the request waits for. Null for nothing.</param>
    public RequestWait Of(int root, Func<int, (string Words, ulong Object)?>? answer = null)
    {
        int? own = null, innermost = null;
        int last = root, branches = 0;
        (string Words, ulong Object)? awaited = null;
        int at = root;
        for (int step = 0; at >= 0 && step < MostSteps; step++)
        {
            last = at;
            if (at != root && answer?.Invoke(at) is { } known)
            {
                awaited = known;
                break;
            }

            if (nodes[at].IsMethod)
            {
                innermost = at == root ? innermost : at;
                own = MethodOrigins.IsOfProgram(nodes[at].Type.Name) ? at : own;
                at = graph.Next(at);
            }
            else
            {
                (int start, int end) = graph.AwaitedBy(at);
                branches = end - start;
                at = branches == 1 ? graph.Awaited(start) : AwaitGraph.Nothing;
            }
        }

        RequestWait wait = awaited is var (words, target) ? new RequestWait(RequestState.Waits) { Awaited = words, Object = target } : AtEnd(last, branches);
        return wait.Thread is { } thread && On(thread) is { Method: not null } there ? there
            : (own ?? innermost) is { } method ? wait with { Method = nodes[method].Type.Name, Place = AwaitQueues.PlaceOf(nodes[method]) }
            : wait;
    }

    /// <summary>The request that a thread executes, with the innermost method of the program's own on its stack.</summary>
    public RequestWait On(uint id)
    {
        RequestWait runs = new(RequestState.Runs) { Thread = id };
        if (!_threads.TryGetValue(id, out ManagedThread? thread))
        {
            return runs;
        }

        // All addresses but that of a thread which was interrupted in the method itself are those that calls return to.
        bool isReturn = false;
        foreach (ManagedFrame frame in thread.Frames)
        {
            if (!frame.IsMarker && frame.Described?.ReportedName is { } name && MethodOrigins.IsOfProgram(name))
            {
                return runs with { Method = name, Place = places.Of(frame, isReturn) is { } code ? new AwaitPlace(code, 0) : null };
            }

            isReturn = !frame.IsFaultMarker;
        }

        return runs;
    }

    private RequestWait AtEnd(int last, int branches)
    {
        ref readonly AsyncNode task = ref nodes[last];
        if (task.IsMethod && graph.Next(last) == AwaitGraph.Completed)
        {
            return new RequestWait(RequestState.Queued);
        }

        AwaitStepName? end = steps.End(last);
        if (end is { IsRunning: true } || (end is null && task.IsMethod))
        {
            return end?.RunningThread is { } thread ? new RequestWait(RequestState.Runs) { Thread = thread } : new RequestWait(RequestState.Unknown);
        }

        ulong target = branches > 1 ? task.Address : ends.Of(last);
        string? state = ends.StateOf(target);
        return new RequestWait(RequestState.Waits)
        {
            Awaited = state is not null ? Semaphore : (end ?? steps.Of(last)).Text,
            Object = target == 0 ? null : target,
            ObjectState = state,
        };
    }
}
