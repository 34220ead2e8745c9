using System.Collections.Immutable;
using Dump.Model.Managed;

namespace Dump.Clr.Awaits;

/// <summary>What stands behind a task, or many, that nobody has completed: the methods that cannot go on before, and their other calls.</summary>
internal sealed class AwaitQueues(AsyncNodes nodes, AwaitGraph graph, Continuations continuations)
{
    private const int MostMethods = 8;
    private const int MostStopped = 256;
    private const int LongestClimb = 16;

    /// <summary>What cannot complete before the waits do, themselves included; added to the queue.</summary>
    public List<int> Behind(List<int> waits, HashSet<int> queue)
    {
        List<int> all = [.. waits], found = [];
        for (int i = 0; i < all.Count; i++)
        {
            found.Clear();
            continuations.Follow(nodes[all[i]].Continuation, found);
            foreach (int awaiter in found)
            {
                bool isStopped = nodes[awaiter].IsMethod ? nodes[awaiter].State >= 0 && graph.Next(awaiter) == all[i] : nodes[awaiter].Type.AwaitsAll;
                if (isStopped && queue.Add(awaiter))
                {
                    all.Add(awaiter);
                }
            }
        }

        return all;
    }

    /// <summary>The program's own methods in a queue.</summary>
    public HashSet<AsyncType> Stopped(IEnumerable<int> queue) => new(
        queue.Where(n => nodes[n].IsMethod && MethodOrigins.IsOfProgram(nodes[n].Type.Name)).Select(n => nodes[n].Type), ReferenceEqualityComparer.Instance);

    /// <summary>Their names, the first few hundred.</summary>
    public static ImmutableArray<string> Names(IEnumerable<AsyncType> methods) =>
        [.. methods.Select(t => t.Name).Distinct().Order(StringComparer.Ordinal).Take(MostStopped)];

    /// <summary>How many other calls of these methods there are.</summary>
    /// <param name="queue">The calls that are not counted.</param>
    /// <param name="types">The methods.</param>
    public int Further(HashSet<int> queue, HashSet<AsyncType> types)
    {
        // A method that the runtime suspends has a type for each await, and one that runs is not known by name: it may be a call of any of them.
        HashSet<string> suspended = [.. types.Where(t => t.Calls.Length > 0).Select(t => t.Name)];
        int further = 0;
        for (int i = 0; i < nodes.Count && types.Count > 0; i++)
        {
            AsyncType type = nodes[i].Type;
            bool isCall = types.Contains(type)
                || (suspended.Count > 0 && (type.Suspended >= 0 || type.Calls.Any(c => suspended.Contains(c.Text))));
            further += isCall && !queue.Contains(i) ? 1 : 0;
        }

        return further;
    }

    /// <summary>The methods in whose name awaiters wait, with their number; those of most come first, the first few.</summary>
    /// <param name="awaiters">Who awaits; null where nobody or several do.</param>
    public ImmutableArray<AwaitingMethod> Methods(IEnumerable<int?> awaiters) =>
    [
        .. awaiters.Select(MethodOf).OfType<int>().GroupBy(n => nodes[n].Type.Name, StringComparer.Ordinal)
            .Select(g => (Name: g.Key, Count: g.Count(), Place: CommonPlace(g)))
            .OrderByDescending(m => m.Count).ThenBy(m => m.Name, StringComparer.Ordinal)
            .Take(MostMethods).Select(m => new AwaitingMethod(m.Name, m.Count) { Place = m.Place }),
    ];

    /// <summary>The await at which a method stands; null when it is none, runs, or its code is not known.</summary>
    public static AwaitPlace? PlaceOf(AsyncNode node) =>
        node is { IsMethod: true, State: >= 0, Type.Code: { } code } ? new AwaitPlace(code, node.State) : null;

    /// <summary>The await at which all of some methods stand; null when they stand at several, or it is not known.</summary>
    public AwaitPlace? CommonPlace(IEnumerable<int> methods)
    {
        AwaitPlace?[] places = [.. methods.Select(n => PlaceOf(nodes[n])).Distinct().Take(2)];
        return places is [var only] ? only : null;
    }

    /// <summary>The only one that awaits a task, or null.</summary>
    public int? Awaiter(int node)
    {
        List<int> found = [];
        continuations.Follow(nodes[node].Continuation, found);
        return found is [var only] ? only : null;
    }

    /// <summary>
    /// The method in whose name an awaiter waits, from it outwards: the innermost that is none of the platform's; else the innermost; null where none waits.
    /// </summary>
    public int? MethodOf(int? awaiter)
    {
        int? innermost = null;
        int? at = awaiter;
        for (int i = 0; at is { } node && i < LongestClimb; i++, at = Awaiter(node))
        {
            if (nodes[node].IsMethod)
            {
                innermost ??= node;
                if (MethodOrigins.IsOfProgram(nodes[node].Type.Name))
                {
                    return node;
                }
            }
        }

        return innermost;
    }
}
