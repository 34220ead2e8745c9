using Dump.Clr.Tasks;

namespace Dump.Clr.Awaits;

/// <summary>Names the steps of chains.</summary>
/// <param name="nodes">The tasks.</param>
/// <param name="graph">Who awaits whom.</param>
/// <param name="continuations">Reads objects.</param>
/// <param name="types">Their types.</param>
/// <param name="running">Threads by the async method that they run.</param>
internal sealed class AwaitSteps(
    AsyncNodes nodes, AwaitGraph graph, Continuations continuations, IAsyncTypes types, IReadOnlyDictionary<ulong, uint> running)
{
    private const string OfNoCode = "TaskCompletionSource";

    /// <summary>What a task is.</summary>
    public AwaitStepName Of(int node)
    {
        ref readonly AsyncNode task = ref nodes[node];
        return task.IsMethod ? new AwaitStepName(task.Type.Name, Math.Max(task.State, -1), graph.Loss(node)) { Code = task.Type.Code }
            : new AwaitStepName(task.Awaited == 0 ? task.Type.Name : WithCode(task), null, graph.Loss(node));
    }

    /// <summary>What a method awaits that is no pending task; null for what awaits one, and for tasks without a state machine.</summary>
    public AwaitStepName? End(int node)
    {
        ref readonly AsyncNode task = ref nodes[node];
        return !task.IsMethod ? null : graph.Next(node) switch
        {
            AwaitGraph.Completed => new AwaitStepName("(completed)", null),
            AwaitGraph.Foreign => new AwaitStepName(
                continuations.TypeAt(task.Awaited)?.Name is not { } name ? "(an object that could not be read)"
                    : AwaitedOperations.IsOfPipe(task.Type.Name, name) ? AwaitedOperations.Pipe : name,
                null),
            _ when task.State < 0 || (task.Type.Calls.Length > 0 && running.ContainsKey(task.Address)) => new AwaitStepName("(running)", null)
            {
                IsRunning = true,
                RunningThread = running.TryGetValue(task.Address, out uint thread) ? thread : null,
            },
            _ => new AwaitStepName("(no task: Task.Yield, or an awaiter that keeps none)", null),
        };
    }

    private string WithCode(AsyncNode task)
    {
        string method = types.MethodOf(task.Awaited) ?? "an unknown method";
        string kind = task.Type.Name.StartsWith(OfNoCode, StringComparison.Ordinal) ? "Task" : task.Type.Name;
        string state = (task.State & TaskFlags.Invoked) != 0 ? "running" : (task.State & TaskFlags.Started) != 0 ? "queued" : "not started";
        return $"{kind} of {method} ({state})";
    }
}
