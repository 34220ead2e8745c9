using System.Buffers.Binary;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Waits;
using Dump.Readers.Windows.Locks;

namespace Dump.Readers.Windows.Waits;

/// <summary>
/// Names threads that may hold an SRW lock. The lock stores no owner, but a holder usually keeps its address, to release it: a thread that does not wait for
/// the lock and has the address on its stack or in a nonvolatile register is a candidate, no more. The address may be left over from an earlier use, and the
/// holder of a lock at a fixed address needs none.
/// </summary>
internal static class SlimLockCandidates
{
    private const int LargestStack = 1 << 20;
    private const long LargestTotal = 64L << 20;
    private const int PageSize = 0x1000;

    /// <summary>
    /// Completes the waits for identified locks with what is known of the lock and its candidates. A single candidate that is blocked itself is reported as a
    /// suspected holder, unless the lock has several readers, a thread executes code (it may hold the lock without a trace), or a stack could not be searched.
    /// </summary>
    /// <param name="process">The process.</param>
    /// <param name="findings">One for each thread, in the threads' order.</param>
    /// <param name="descriptions">Receives the state of each lock in words.</param>
    public static List<WaitFindings> Complete(WindowsProcess process, List<WaitFindings> findings, IDictionary<Resource, ResourceDescription> descriptions)
    {
        ILookup<Resource, uint> waiters = findings.SelectMany(f => f.Waits)
            .Where(w => w.Resource is { Kind: ResourceKind.SlimReaderWriterLock, Identity: not 0 }).ToLookup(w => w.Resource, w => w.ThreadId);
        Dictionary<ulong, List<uint>> holders = waiters.ToDictionary(w => w.Key.Identity, _ => new List<uint>());
        if (holders.Count == 0)
        {
            return findings;
        }

        bool isComplete = Search(process, holders) && process.Dump.HasAllThreads;
        bool someExecute = findings.Any(f => f.Activity.Kind is ThreadActivityKind.Running or ThreadActivityKind.Yielding or ThreadActivityKind.Unknown
            or ThreadActivityKind.SystemCall);
        HashSet<uint> blocked = [.. findings.SelectMany(f => f.Waits).Where(w => w.Timeout != WaitTimeout.Finite && !w.IsWaitAny).Select(w => w.ThreadId)];
        HashSet<Resource> owned = [.. findings.SelectMany(f => f.Ownerships).Select(o => o.Resource)];
        Dictionary<Resource, (Evidence Evidence, OwnershipFact? Holder)> known = [];
        foreach (IGrouping<Resource, uint> group in waiters)
        {
            SlimReaderWriterLock? word = SlimReaderWriterLock.Read(process.Dump, process.Abi, group.Key.Identity);
            descriptions[group.Key] = Describe(word, group.Count(), owned.Contains(group.Key));
            if (owned.Contains(group.Key))
            {
                continue;
            }

            uint[] candidates = [.. holders[group.Key.Identity].Except(group)];
            Evidence evidence = Evidence(group.Key, candidates, isComplete);
            bool isSingle = candidates is [var one] && isComplete && !someExecute && blocked.Contains(one)
                && word is { IsLocked: true, HasSeveralReaders: not true };
            known[group.Key] = (evidence, isSingle ? new OwnershipFact(group.Key, candidates[0], true, null, Grade.Suspected, [evidence]) : null);
        }

        return [.. findings.Select(f => f.Waits.Any(w => known.ContainsKey(w.Resource)) ? Add(f, known) : f)];
    }

    private static WaitFindings Add(WaitFindings findings, Dictionary<Resource, (Evidence Evidence, OwnershipFact? Holder)> known) => findings with
    {
        Waits = [.. findings.Waits.Select(w => known.TryGetValue(w.Resource, out var found) ? w with { Evidence = w.Evidence.Add(found.Evidence) } : w)],
        Ownerships = [.. findings.Ownerships, .. findings.Waits.Select(w => known.GetValueOrDefault(w.Resource).Holder).OfType<OwnershipFact>()],
    };

    private static ResourceDescription Describe(SlimReaderWriterLock? word, int waiters, bool isOwned)
    {
        string held = word switch
        {
            null => "state unknown",
            { IsLocked: false } => "free, being handed over",
            { HasSeveralReaders: true } => "held by several readers",
            _ => "held",
        };
        return new ResourceDescription(isOwned ? "SRW lock of the std::mutex" : "SRW lock", $"{held}, {CountText.Of(waiters, "known waiter")}");
    }

    private static Evidence Evidence(Resource resource, uint[] candidates, bool isComplete)
    {
        string unsearched = isComplete ? "" : "; not all stacks could be searched";
        string text = candidates switch
        {
            [] => "no thread but its waiters has the lock's address on its stack: the holder is unknown, or a waiter holds it already (it is not "
                + $"recursive){unsearched}",
            [var one] =>
                $"a candidate only, because no owner is stored: thread 0x{one:x} alone, besides the waiters, has the lock's address on its stack or in a "
                    + $"register{unsearched}",
            _ => $"candidates only, because no owner is stored: {candidates.Length} threads besides the waiters have the lock's address on their stacks or in "
                + "registers"
                + $" ({string.Join(", ", candidates.Take(4).Select(c => $"0x{c:x}"))}{(candidates.Length > 4 ? ", ..." : "")}){unsearched}",
        };
        return new Evidence(EvidenceSource.Rule, text, resource.Identity);
    }

    /// <summary>Searches every stack for the addresses; false when one could not be searched to its base.</summary>
    private static bool Search(WindowsProcess process, Dictionary<ulong, List<uint>> holders)
    {
        long budget = Math.Min(LargestTotal, process.Dump.FileSize);
        bool isComplete = true;
        foreach (WindowsThread thread in process.Threads)
        {
            HashSet<ulong> found = [.. StackValues.Nonvolatile(thread).Where(holders.ContainsKey)];
            isComplete &= SearchStack(process, thread, holders, found, ref budget);
            foreach (ulong address in found)
            {
                holders[address].Add(thread.Id);
            }
        }

        return isComplete;
    }

    private static bool SearchStack(WindowsProcess process, WindowsThread thread, Dictionary<ulong, List<uint>> holders, HashSet<ulong> found, ref long budget)
    {
        if (thread.Environment is not { Stack: var bounds } || thread.Walked.Count == 0
            || thread.Walked[0].StackPointer is var pointer && !bounds.Contains(pointer))
        {
            return false;
        }

        Span<byte> page = stackalloc byte[PageSize];
        ulong from = thread.Walked[0].StackPointer & ~7UL;
        ulong end = Math.Min(bounds.Base, from + LargestStack);
        while (from < end)
        {
            int size = (int)Math.Min(PageSize - from % PageSize, end - from);
            budget -= size;
            if (budget < 0 || !process.Dump.TryRead(from, page[..size]))
            {
                return false;
            }

            for (int i = 0; i + process.PointerSize <= size; i += process.PointerSize)
            {
                ulong value = process.PointerSize == sizeof(uint)
                    ? BinaryPrimitives.ReadUInt32LittleEndian(page[i..])
                    : BinaryPrimitives.ReadUInt64LittleEndian(page[i..]);
                if (holders.ContainsKey(value))
                {
                    found.Add(value);
                }
            }

            from += (ulong)size;
        }

        return end == bounds.Base;
    }
}
