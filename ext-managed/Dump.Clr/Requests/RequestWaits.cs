using Dump.Clr.Awaits;
using Dump.Clr.Frames;
using Dump.Model.Managed;

namespace Dump.Clr.Requests;

/// <summary>Where requests stand: at the end of the awaits of their async methods, or on a thread.</summary>
/// <param name="nodes">The tasks.</param>
/// <param name="graph">Who awaits whom.</param>
/// <param name="steps">Names what is awaited.</param>
/// <param name="ends">The objects that awaits end at.</param>
/// <param name="queues">Who awaits a task.</param>
/// <param name="blocked">Threads by the task that they wait for.</param>
/// <param name="threads">Threads with their stacks.</param>
/// <param name="places">Knows the places of frames in the code.</param>
internal sealed class RequestWaits(
    AsyncNodes nodes, AwaitGraph graph, AwaitSteps steps, AwaitEnds ends, AwaitQueues queues, ILookup<ulong, uint> blocked,
    IReadOnlyCollection<ManagedThread> threads, ManagedPlaces places)
{
    private const int MostSteps = 256;
    private const int LongestClimb = 64;
    private const int MostPlaces = 8;
    private const string Semaphore = "SemaphoreSlim";

    // The runtime's name for the class of methods that libraries make at run time; ASP.NET Core calls handlers by such a one.
    private const string DynamicClass = "(dynamicClass)";
    private readonly Dictionary<uint, ManagedThread> _threads = threads.ToDictionary(t => t.Id);

    /// <summary>Where the method of a task stands.</summary>
    /// <param name="root">The task.</param>
    /// <param name="answer">What a task on the way stands for, in words, with its object: that is what the request waits for. Null for nothing.</param>
    public RequestWait Of(int root, Func<int, (string Words, ulong Object)?>? answer = null)
    {
        List<int> own = [];
        int? innermost = null;
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
                if (MethodOrigins.IsOfProgram(nodes[at].Type.Name))
                {
                    own.Add(at);
                }

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
        return wait.Thread is { } thread && On(thread) is { Places.IsEmpty: false } there ? there
            : wait with { Places = [.. InnermostOfEach(own.AsEnumerable().Reverse().Concat(own.Count == 0 && innermost is { } only ? [only] : []))] };
    }

    /// <summary>
    /// What a call into a library waits for, and where it is made: the methods that await the outermost one of the library's, or those of the thread that blocks
    /// in it.
    /// </summary>
    /// <param name="method">A method of the library's that belongs to the call.</param>
    /// <param name="belongs">True for the library's methods that do.</param>
    public RequestWait OfCall(int method, Predicate<int> belongs)
    {
        int outermost = method;
        List<int> callers = [];
        uint? thread = null;
        int? at = method;
        for (int step = 0; at is { } node && step < LongestClimb; step++, at = queues.Awaiter(node))
        {
            if (belongs(node))
            {
                (outermost, thread) = (node, null);
                callers.Clear();
            }
            else if (nodes[node].IsMethod && MethodOrigins.IsOfProgram(nodes[node].Type.Name))
            {
                callers.Add(node);
            }

            thread ??= blocked[nodes[node].Address].Select(t => (uint?)t).FirstOrDefault();
        }

        RequestWait wait = Of(outermost);
        return wait with
        {
            Places = callers.Count > 0 ? [.. InnermostOfEach(callers)] : thread is { } id ? On(id).Places : [],
            Thread = wait.Thread ?? thread,
        };
    }

    /// <summary>The request that a thread executes, with the methods on its stack that are none of the platform's.</summary>
    public RequestWait On(uint id)
    {
        RequestWait runs = new(RequestState.Runs) { Thread = id };
        if (!_threads.TryGetValue(id, out ManagedThread? thread))
        {
            return runs;
        }

        List<RequestPlace> found = [];
        HashSet<string> assemblies = [];

        // All addresses but that of a thread which was interrupted in the method itself are those that calls return to.
        bool isReturn = false;
        foreach (ManagedFrame frame in thread.Frames)
        {
            if (!frame.IsMarker && found.Count < MostPlaces && frame.TypeName is not (null or DynamicClass)
                && frame.Described?.ReportedName is { } name && MethodOrigins.IsOfProgram(name) && assemblies.Add(frame.ModuleName ?? ""))
            {
                found.Add(new RequestPlace(name, places.Of(frame, isReturn) is { } code ? new AwaitPlace(code, 0) : null));
            }

            isReturn = !frame.IsFaultMarker;
        }

        return runs with { Places = [.. found] };
    }

    /// <summary>The first of some methods in each assembly.</summary>
    private IEnumerable<RequestPlace> InnermostOfEach(IEnumerable<int> methods) => methods.DistinctBy(m => nodes[m].Type.Code?.Module).Take(MostPlaces)
        .Select(m => new RequestPlace(nodes[m].Type.Name, AwaitQueues.PlaceOf(nodes[m])));

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
