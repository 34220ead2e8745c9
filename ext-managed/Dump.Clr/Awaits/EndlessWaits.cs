using System.Collections.Immutable;
using Dump.Clr.Tasks;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Waits;

namespace Dump.Clr.Awaits;

/// <summary>
/// Finds threads for which nobody is left to end their waits. All that goes on is followed through the heap; a waiting thread counts as going on from when the
/// object that it waits for is reached, and then what its stack has is followed too. Those that are left wait for what only they have.
/// </summary>
internal sealed class EndlessWaits(AsyncNodes nodes, AwaitGraph graph, AwaitSteps steps, AwaitEnds ends, IRootReferences roots, ILookup<Resource, uint> owners)
{
    /// <summary>Each lets at least one thread go on; processes with more chains of waits are left alone.</summary>
    private const int MostRounds = 32;
    private const int LongestChain = 256;

    /// <summary>From a task to the list of its continuations, and to the items of that.</summary>
    private const int DeepestInside = 2;

    /// <summary>What an object that is waited for has inside of it, and by which a cancellation token or a second object for the same handle ends the wait.</summary>
    private static readonly string[] s_insides = ["SafeWaitHandle", "SemaphoreSlim", "ManualResetEventSlim", "Task+SetOnInvokeMres", "Task+SetOnCountdownMres"];

    /// <summary>Finds them, by id.</summary>
    /// <param name="waits">What threads wait for.</param>
    /// <param name="heap">Makes the heap ready; asked for only where a thread is in question. Null where it is too large.</param>
    /// <param name="cancellation">Ends the search.</param>
    public ImmutableArray<EndlessWait> Find(IEnumerable<WaitFact> waits, Func<ReachableObjects?> heap, CancellationToken cancellation)
    {
        Dictionary<uint, WaitFact[]> stopped = waits.GroupBy(w => w.ThreadId).Where(t => t.All(MayBeEndless)).ToDictionary(t => t.Key, t => t.ToArray());
        if (stopped.Count == 0 || !roots.AreKnown || heap() is not { } objects)
        {
            return [];
        }

        objects.ReachCommon(cancellation);
        for (int round = 0; stopped.Count > 0; round++)
        {
            cancellation.ThrowIfCancellationRequested();
            if (round == MostRounds)
            {
                return [];
            }

            foreach (ulong held in roots.Held([.. stopped.Keys]))
            {
                objects.Reach(held);
            }

            objects.Follow(cancellation);
            uint[] further = [.. stopped.Where(t => t.Value.Any(w => MayEnd(w, stopped, objects))).Select(t => t.Key)];
            if (further.Length == 0)
            {
                break;
            }

            Array.ForEach(further, t => stopped.Remove(t));
        }

        return [.. stopped.OrderBy(t => t.Key).Select(t => Describe(t.Key, t.Value))];
    }

    /// <summary>A wait that only the program itself can end: it has no limit, and its object is known.</summary>
    private bool MayBeEndless(WaitFact wait) =>
        wait is { LastsForObject: true, Grade: >= Grade.Derived, Resource.Identity: not 0 } && wait.Resource.Kind switch
        {
            ResourceKind.ManagedSignal or ResourceKind.ManagedTask or ResourceKind.Thread => true,
            ResourceKind.Monitor or ResourceKind.ManagedLock or ResourceKind.ManagedReaderWriterLock => owners[wait.Resource].Any(),
            _ => false,
        } && !owners[wait.Resource].Contains(0u);

    private bool MayEnd(WaitFact wait, Dictionary<uint, WaitFact[]> stopped, ReachableObjects objects)
    {
        ulong address = wait.Resource.Identity;
        if (owners[wait.Resource].Any())
        {
            return owners[wait.Resource].Any(o => !stopped.ContainsKey(o));
        }

        if (wait.Resource.Kind == ResourceKind.Thread)
        {
            return !stopped.ContainsKey((uint)address);
        }

        if (wait.Resource.Kind == ResourceKind.ManagedTask)
        {
            return nodes.Find(address) is not (>= 0 and var node) || IsRunSomewhere(node) || objects.MayComplete(node) || HasReachedInside(address, objects);
        }

        return objects.TypeAt(address) is null || objects.IsReached(address) || HasReachedInside(address, objects);
    }

    /// <summary>True for a task whose code has begun, on a thread that is not known.</summary>
    private bool IsRunSomewhere(int node) => nodes[node] is { IsMethod: false, Awaited: not 0 } task && (task.State & TaskFlags.Invoked) != 0;

    /// <summary>The same for several continuations of a task, which lie in a list.</summary>
    private static bool HasReachedInside(ulong address, ReachableObjects objects, int depth = 0)
    {
        foreach (ulong word in objects.References(address))
        {
            if (objects.TypeAt(word) is { } type && (s_insides.Contains(type.Name) ? objects.IsReached(word)
                : depth < DeepestInside && (type.Kind == AsyncTypeKind.ContinuationList || (depth > 0 && type.Name == ReferenceRoles.ObjectArray))
                    && HasReachedInside(word, objects, depth + 1)))
            {
                return true;
            }
        }

        return false;
    }

    private EndlessWait Describe(uint thread, WaitFact[] waits)
    {
        WaitFact first = waits.FirstOrDefault(w => w.Resource.Kind == ResourceKind.ManagedTask && !owners[w.Resource].Any()) ?? waits[0];
        if (first.Resource.Kind != ResourceKind.ManagedTask || nodes.Find(first.Resource.Identity) is not (>= 0 and var task))
        {
            return new EndlessWait(thread);
        }

        int? own = null;
        int last = task;
        for (int at = task, i = 0; at >= 0 && i < LongestChain; i++)
        {
            last = at;
            own = nodes[at].IsMethod && MethodOrigins.IsOfProgram(nodes[at].Type.Name) ? at : own;
            at = nodes[at].IsMethod ? graph.Next(at) : graph.AwaitedBy(at) is var (start, end) && start < end ? graph.Awaited(start) : AwaitGraph.Nothing;
        }

        bool hasCompleted = nodes[last].IsMethod && graph.Next(last) == AwaitGraph.Completed;
        AwaitStepName? awaited = steps.End(last) ?? (nodes[last].IsMethod ? null : steps.Of(last));
        return new EndlessWait(thread)
        {
            Method = own is { } method ? new AwaitingMethod(nodes[method].Type.Name, 1) { Place = AwaitQueues.PlaceOf(nodes[method]) } : null,
            HasCompleted = hasCompleted,
            Awaited = hasCompleted || awaited is { IsRunning: true } ? null : awaited?.Text,
            AwaitedObject = !hasCompleted && ends.Of(last) is not 0 and var address ? address : null,
        };
    }
}
