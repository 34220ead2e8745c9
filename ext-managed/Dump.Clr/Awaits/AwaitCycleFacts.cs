using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Managed;

namespace Dump.Clr.Awaits;

/// <summary>Makes facts of the cycles that were found: equal ones once, with what waits behind them.</summary>
internal static class AwaitCycleFacts
{
    private const int MostKinds = 50;
    private const int MostLinks = 100;
    private const int MostThreads = 1_000;

    /// <summary>Makes them.</summary>
    /// <param name="nodes">The tasks.</param>
    /// <param name="cycles">Their cycles.</param>
    /// <param name="blocked">Threads with the tasks that they block in.</param>
    public static ImmutableArray<AwaitCycle> Of(AsyncNodes nodes, AwaitCycles cycles, IEnumerable<(uint Thread, ulong Task)> blocked)
    {
        if (cycles.Found.Count == 0)
        {
            return [];
        }

        (int Cycle, AwaitCycle Fact)[] facts = [.. cycles.Found.Select((c, i) => (i, Make(nodes, cycles, Rotated(nodes, c))))];
        int[] behind = Behind(nodes, cycles);
        ILookup<int, uint> threads = blocked.Select(b => (b.Thread, Node: nodes.Find(b.Task))).Where(b => b.Node >= 0)
            .ToLookup(b => cycles.LeadsTo(b.Node), b => b.Thread);
        return
        [
            .. facts.GroupBy(f => (f.Fact.Length, Text: string.Join('\n', f.Fact.Links.Select(l => $"{l.Name} {l.State}"))))
                .Select(g => g.MinBy(f => f.Fact.Links[0].Task).Fact with
                {
                    Grade = g.Min(f => f.Fact.Grade),
                    Count = g.Count(),
                    Behind = g.Sum(f => behind[f.Cycle]),
                    Threads = [.. g.SelectMany(f => threads[f.Cycle]).Distinct().Order().Take(MostThreads)],
                })
                .OrderByDescending(c => (long)c.Count * c.Length).ThenBy(c => c.Links[0].Task).Take(MostKinds),
        ];
    }

    private static AwaitCycle Make(AsyncNodes nodes, AwaitCycles cycles, int[] cycle)
    {
        Grade[] grades = [.. cycle.Select((n, i) => cycles.GradeOf(n, cycle[(i + 1) % cycle.Length]))];
        return new AwaitCycle([.. cycle.Take(MostLinks).Select((n, i) => Link(nodes[n], grades[i]))], cycle.Length, grades.Min());
    }

    private static AwaitLink Link(AsyncNode node, Grade grade) => new(node.Address, node.Type.Name, node.IsMethod ? node.State : null, grade)
    {
        Place = AwaitQueues.PlaceOf(node),
    };

    /// <summary>The cycle from its method with the first name on; of several by that name from the one with the lowest address on.</summary>
    private static int[] Rotated(AsyncNodes nodes, int[] cycle)
    {
        int first = 0;
        for (int i = 1; i < cycle.Length; i++)
        {
            first = Compare(nodes[cycle[i]], nodes[cycle[first]]) < 0 ? i : first;
        }

        return [.. cycle[first..], .. cycle[..first]];
    }

    private static int Compare(AsyncNode one, AsyncNode other) =>
        one.IsMethod != other.IsMethod ? (one.IsMethod ? -1 : 1)
        : string.CompareOrdinal(one.Type.Name, other.Type.Name) is not 0 and var byName ? byName
        : one.State != other.State ? one.State.CompareTo(other.State)
        : one.Address.CompareTo(other.Address);

    /// <summary>Of each cycle, how many async methods lead to it that are not in it.</summary>
    private static int[] Behind(AsyncNodes nodes, AwaitCycles cycles)
    {
        int[] behind = [.. cycles.Found.Select(c => -c.Count(n => nodes[n].IsMethod))];
        for (int i = 0; i < nodes.Count; i++)
        {
            if (nodes[i].IsMethod && cycles.LeadsTo(i) is >= 0 and var cycle)
            {
                behind[cycle]++;
            }
        }

        return behind;
    }
}
