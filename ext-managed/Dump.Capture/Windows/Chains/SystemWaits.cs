using System.Collections.Immutable;
using Dump.Capture.Proc;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Capture.Windows.Chains;

/// <summary>
/// Joins what Windows says of waits with what was read of the process. Windows was asked thread by thread while the process ran, before its memory was taken:
/// what it alone says is Suspected, and a wait that it alone knows counts only of a thread that waits in the memory too. Where both name the same owner, the
/// evidence says so; where they differ, the edge is at most Suspected.
/// </summary>
internal static class SystemWaits
{
    /// <summary>Adds it.</summary>
    /// <param name="snapshot">What was read.</param>
    /// <param name="chains">What Windows says of its threads, by their ids.</param>
    /// <param name="nameOf">Name of the program of another process, or null.</param>
    public static ProcessSnapshot Join(ProcessSnapshot snapshot, IReadOnlyDictionary<uint, WaitChain> chains, Func<uint, string?>? nameOf = null)
    {
        List<WaitFact> waits = [.. snapshot.Waits];
        List<OwnershipFact> ownerships = [.. snapshot.Ownerships];
        Dictionary<Resource, string> states = [];
        foreach ((uint thread, WaitChain chain) in chains.OrderBy(c => c.Key))
        {
            if (chain.Awaited is not { } awaited || !snapshot.Threads.Any(t => t.Id == thread))
            {
                continue;
            }

            WaitChainNode? holder = chain.Holder;
            ResourceKind[] kinds = WaitChainWords.Kinds(awaited.Kind, holder?.ProcessId == snapshot.ProcessId);
            Resource? resource = kinds.Length == 0 || (holder is null && kinds[0] != ResourceKind.InputOutput) ? null
                : WaitOf(waits, snapshot, thread, kinds, awaited, holder);
            if (holder is null)
            {
                continue;
            }

            if (resource is { Facts.Owner: not OwnerRecord.NoOwner })
            {
                Own(ownerships, snapshot, resource, chain, holder, nameOf);
            }
            else if (holder.ProcessId != snapshot.ProcessId && (resource ?? OnlyWaitOf(waits, thread)) is { } named)
            {
                // What nobody owns, or what we take for something else: what Windows says of another process is told beside it.
                states[named] = $"Windows: {WaitChainWords.By(awaited.Kind, Described(holder, snapshot, nameOf))}"
                    + WaitChainWords.Rest(chain, snapshot.ProcessId);
            }
        }

        return snapshot with
        {
            Waits = [.. waits],
            Ownerships = [.. ownerships],
            ResourceStates = snapshot.ResourceStates.SetItems(states.Select(
                s => snapshot.ResourceStates.TryGetValue(s.Key, out string? own) ? KeyValuePair.Create(s.Key, $"{own}; {s.Value}") : s)),
        };
    }

    /// <summary>Other processes for which threads wait that wait in the memory too, each once.</summary>
    /// <param name="snapshot">What was read.</param>
    /// <param name="chains">What Windows says of its threads, by their ids.</param>
    /// <param name="nameOf">Name of the program of another process, or null.</param>
    public static ImmutableArray<AwaitedProcess> Awaited(
        ProcessSnapshot snapshot, IReadOnlyDictionary<uint, WaitChain> chains, Func<uint, string?>? nameOf) =>
    [
        .. chains.OrderBy(c => c.Key)
            .Where(c => c.Value.Holder is { } holder && holder.ProcessId != snapshot.ProcessId && holder.ProcessId is > 0 and <= int.MaxValue
                && StillWaits(snapshot, c.Key))
            .Select(c => (Thread: c.Key, Wait: c.Value.Awaited!, Holder: c.Value.Holder!)).DistinctBy(c => c.Holder.ProcessId)
            .Select(c => new AwaitedProcess((int)c.Holder.ProcessId, nameOf?.Invoke(c.Holder.ProcessId),
                $"thread 0x{c.Thread:x} waits for {WaitChainWords.Of(c.Wait)}")),
    ];

    /// <summary>
    /// What the thread waits for in our own words; a wait that only Windows knows is added. Null where it waits for something else, or for one of many.
    /// </summary>
    private static Resource? WaitOf(
        List<WaitFact> waits, ProcessSnapshot snapshot, uint thread, ResourceKind[] kinds, WaitChainNode awaited, WaitChainNode? holder)
    {
        if (waits.Any(w => w.ThreadId == thread))
        {
            return OnlyWaitOf(waits, thread) is { } own && kinds.Contains(own.Kind) ? own : null;
        }

        if (!StillWaits(snapshot, thread))
        {
            // It has gone on since Windows was asked.
            return null;
        }

        // The object of a wait for a thread is that thread.
        Resource resource = kinds[0] == ResourceKind.Thread && holder is not null ? new Resource(kinds[0], holder.ThreadId) : new Resource(kinds[0], 0, thread);
        waits.Add(new WaitFact(thread, resource, WaitTimeout.Unknown, Grade.Suspected,
            [new Evidence(EvidenceSource.System, $"GetThreadWaitChain: it waits for {WaitChainWords.Of(awaited)}")]));
        return resource;
    }

    private static Resource? OnlyWaitOf(List<WaitFact> waits, uint thread) =>
        waits.Where(w => w.ThreadId == thread).ToArray() is [{ IsWaitAny: false } only] ? only.Resource : null;

    private static bool StillWaits(ProcessSnapshot snapshot, uint thread) =>
        snapshot.Threads.Any(t => t.Id == thread && t.Activity.Kind == ThreadActivityKind.Waiting);

    private static void Own(
        List<OwnershipFact> ownerships, ProcessSnapshot snapshot, Resource resource, WaitChain chain, WaitChainNode holder, Func<uint, string?>? nameOf)
    {
        bool isHere = holder.ProcessId == snapshot.ProcessId;
        string plain = WaitChainWords.Thread(holder, snapshot.ProcessId), owner = Described(holder, snapshot, nameOf);
        int known = ownerships.FindIndex(o => o.Resource == resource);
        OwnershipFact? ours = known < 0 ? null : ownerships[known];
        bool isSame = ours is null || (isHere ? ours.OwnerThreadId == holder.ThreadId
            : ours.OwnerDescription is { } text && (text == plain || text.StartsWith(plain + " (", StringComparison.Ordinal)));
        Evidence evidence = new(EvidenceSource.System,
            $"GetThreadWaitChain: {WaitChainWords.By(chain.Awaited!.Kind, owner)}{(isSame ? "" : ", which is another one")}"
                + WaitChainWords.StateOf(chain.Awaited) + WaitChainWords.Rest(chain, snapshot.ProcessId));
        if (ours is null)
        {
            ownerships.Add(new OwnershipFact(
                resource, isHere ? holder.ThreadId : 0, isHere && snapshot.Threads.Any(t => t.Id == holder.ThreadId && !t.HasExited) ? true : null, null,
                Grade.Suspected, [evidence]) { OwnerDescription = isHere && holder.ThreadId != 0 ? null : owner });
            return;
        }

        ownerships[known] = ours with { Grade = isSame ? ours.Grade : Grade.Suspected, Evidence = [.. ours.Evidence, evidence] };
    }

    /// <summary>The holder, with the name of its program where that is another process.</summary>
    private static string Described(WaitChainNode holder, ProcessSnapshot snapshot, Func<uint, string?>? nameOf) =>
        WaitChainWords.Thread(holder, snapshot.ProcessId)
            + (holder.ProcessId != snapshot.ProcessId && nameOf?.Invoke(holder.ProcessId) is { } name ? $" ({name})" : "");
}
