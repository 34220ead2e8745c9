using System.Collections.Immutable;
using System.Globalization;
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
    public static ProcessSnapshot Join(ProcessSnapshot snapshot, IReadOnlyDictionary<uint, WaitChain> chains)
    {
        List<WaitFact> waits = [.. snapshot.Waits];
        List<OwnershipFact> ownerships = [.. snapshot.Ownerships];
        foreach ((uint thread, WaitChain chain) in chains.OrderBy(c => c.Key))
        {
            if (chain is { Awaited: { } awaited, Holder: { } holder } && Kinds(awaited.Kind) is { Length: > 0 } kinds
                && snapshot.Threads.Any(t => t.Id == thread) && WaitOf(waits, snapshot, thread, kinds, awaited, holder) is { } resource)
            {
                Own(ownerships, snapshot, resource, holder);
            }
        }

        return snapshot with { Waits = [.. waits], Ownerships = [.. ownerships] };
    }

    /// <summary>What the thread waits for in our own words; a wait that only Windows knows is added. Null where it waits for something else, or for one of many.</summary>
    private static Resource? WaitOf(
        List<WaitFact> waits, ProcessSnapshot snapshot, uint thread, ResourceKind[] kinds, WaitChainNode awaited, WaitChainNode holder)
    {
        WaitFact[] own = [.. waits.Where(w => w.ThreadId == thread)];
        if (own.Length > 0)
        {
            return own is [{ IsWaitAny: false } only] && kinds.Contains(only.Resource.Kind) ? only.Resource : null;
        }

        if (!snapshot.Threads.Any(t => t.Id == thread && t.Activity.Kind == ThreadActivityKind.Waiting))
        {
            // It has gone on since Windows was asked.
            return null;
        }

        // The object of a wait for a thread is that thread.
        Resource resource = kinds[0] == ResourceKind.Thread ? new Resource(kinds[0], holder.ThreadId) : new Resource(kinds[0], 0, thread);
        string name = awaited.Name is { } text ? $" '{text}'" : "";
        waits.Add(new WaitFact(thread, resource, WaitTimeout.Unknown, Grade.Suspected,
            [new Evidence(EvidenceSource.System, $"GetThreadWaitChain: it waits for a {Words(awaited.Kind)}{name}")]));
        return resource;
    }

    private static void Own(List<OwnershipFact> ownerships, ProcessSnapshot snapshot, Resource resource, WaitChainNode holder)
    {
        bool isHere = holder.ProcessId == snapshot.ProcessId;
        string owner = string.Create(CultureInfo.InvariantCulture,
            $"{(holder.ThreadId == 0 ? "" : $"thread 0x{holder.ThreadId:x}{(isHere ? "" : " of ")}")}{(isHere ? "" : $"process {holder.ProcessId}")}");
        Evidence evidence = new(EvidenceSource.System, $"GetThreadWaitChain: held by {owner}");
        int known = ownerships.FindIndex(o => o.Resource == resource);
        if (known < 0)
        {
            ownerships.Add(new OwnershipFact(
                resource, isHere ? holder.ThreadId : 0, isHere && snapshot.Threads.Any(t => t.Id == holder.ThreadId && !t.HasExited) ? true : null, null,
                Grade.Suspected, [evidence]) { OwnerDescription = isHere && holder.ThreadId != 0 ? null : owner });
            return;
        }

        OwnershipFact ours = ownerships[known];
        bool isSame = isHere ? ours.OwnerThreadId == holder.ThreadId
            : ours.OwnerDescription is { } text && (text == owner || text.StartsWith(owner + " (", StringComparison.Ordinal));
        ownerships[known] = ours with
        {
            Grade = isSame ? ours.Grade : Grade.Suspected,
            Evidence = [.. ours.Evidence, isSame ? evidence : evidence with { Text = $"{evidence.Text}, which is another one" }],
        };
    }

    private static ResourceKind[] Kinds(WaitChainKind kind) => kind switch
    {
        WaitChainKind.CriticalSection => [ResourceKind.CriticalSection, ResourceKind.LoaderLock],
        WaitChainKind.Mutex => [ResourceKind.Mutex],
        WaitChainKind.ThreadWait => [ResourceKind.Thread],
        _ => [],
    };

    private static string Words(WaitChainKind kind) => kind switch
    {
        WaitChainKind.CriticalSection => "critical section",
        WaitChainKind.Mutex => "mutex",
        _ => "thread",
    };
}
