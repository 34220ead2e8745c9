using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Model.Reported;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Merging;

/// <summary>A verdict as the lines of its signature, one for each thread that makes it, in an order that neither ids nor the dump decide.</summary>
/// <param name="verdict">The verdict.</param>
/// <param name="system">File names, in lower case, of the modules that the dump says are the system's.</param>
internal sealed class VerdictShape(ReportedVerdict verdict, HashSet<string> system)
{
    /// <summary>Null for a detector of a newer version, whose verdicts are taken as those of most detectors.</summary>
    private readonly DetectorDescriptor? _detector = DetectorRegistry.Find(verdict.DetectorId);

    private readonly Dictionary<uint, SignatureStack> _stacks =
        verdict.Stacks.GroupBy(s => s.ThreadId).ToDictionary(g => g.Key, g => SignatureStack.Of(g.First().Frames, system));

    /// <summary>The lines, with the entries that they are made of.</summary>
    public ImmutableArray<SignatureLine> Lines()
    {
        // Which threads block in pending methods, if any do, is another matter.
        if (!verdict.AsyncMethods.IsEmpty)
        {
            return SmallestRotation([.. verdict.AsyncMethods.Select(m => new SignatureLine($"awaits in {m}", []))]);
        }

        if (verdict.Failure is { } failure)
        {
            return [new SignatureLine($"fails with {failure}", verdict.Stacks is [var stack, ..] ? _stacks[stack.ThreadId].Failing() : [])];
        }

        ImmutableArray<ChainLink> chain = verdict.Chain;
        if (_detector?.Subject == VerdictSubject.AnyThread)
        {
            return [.. Sorted(chain.IsEmpty ? verdict.Stacks.Select(s => Thread(s.ThreadId)) : chain.Select(Waiter)).Take(1)];
        }

        if (_detector?.Subject == VerdictSubject.EachThread)
        {
            return [.. Sorted(chain.Where(l => _stacks.ContainsKey(l.ThreadId)).Select(Waiter))];
        }

        if (chain.IsEmpty)
        {
            return [.. Sorted(ImportantStacks().Select(s => Thread(s.ThreadId)))];
        }

        if (IsCycle(chain))
        {
            // Threads may wait for each other in several cycles, of which the verdict shows one that ids decide.
            return verdict.Threads.Distinct().Count() > chain.Length
                ? [.. Sorted(
                    verdict.Threads.Distinct().Where(_stacks.ContainsKey)
                        .Select(t => chain.FirstOrDefault(l => l.ThreadId == t) is { } link ? Waiter(link) : Waiter(t, "cycle")))]
                : SmallestRotation([.. chain.Select(Waiter)]);
        }

        return _detector?.Subject == VerdictSubject.Holder ? [Held(chain[0]), .. Rest(chain[1..])] : [.. Rest(chain)];
    }

    private static bool IsCycle(ImmutableArray<ChainLink> chain) => chain[^1].HolderThreadId == chain[0].ThreadId;

    /// <summary>Links in their order, and at the end the thread that holds the last resource and waits for nothing.</summary>
    private IEnumerable<SignatureLine> Rest(ImmutableArray<ChainLink> chain)
    {
        foreach (ChainLink link in chain)
        {
            yield return Waiter(link);
        }

        if (chain is [.., { HolderThreadId: { } holder }] && _stacks.ContainsKey(holder))
        {
            yield return Thread(holder);
        }
    }

    /// <summary>Of a writer and those beside it, the writers.</summary>
    private IEnumerable<ReportedStack> ImportantStacks()
    {
        ReportedStack[] writers = [.. verdict.Stacks.Where(s => s.Role?.StartsWith("changes", StringComparison.Ordinal) == true)];
        return writers.Length > 0 ? writers.Take(1) : verdict.Stacks;
    }

    private SignatureLine Held(ChainLink link) => link.HolderThreadId is { } holder && _stacks.TryGetValue(holder, out SignatureStack? stack)
        ? new SignatureLine($"holds {link.Resource.Facts.SignatureName}", verdict.Chain.Any(l => l.ThreadId == holder) ? [] : stack.Running())
        : new SignatureLine($"holds {link.Resource.Facts.SignatureName}", []);

    private SignatureLine Waiter(ChainLink link) => Waiter(link.ThreadId, link.Resource.Facts.SignatureName);

    private SignatureLine Waiter(uint thread, string kind) => new($"waits for {kind}", _stacks.GetValueOrDefault(thread)?.Waiting() ?? []);

    private SignatureLine Thread(uint thread) => _detector?.Activity switch
    {
        SubjectActivity.Runs => new SignatureLine("runs", _stacks[thread].Running()),
        SubjectActivity.InCollection => new SignatureLine("in collection", _stacks[thread].FromCollection().Waiting()),
        _ => new SignatureLine("stands", _stacks[thread].Waiting()),
    };

    private static IEnumerable<SignatureLine> Sorted(IEnumerable<SignatureLine> lines) =>
        lines.DistinctBy(l => l.Text).OrderBy(l => l.Text, StringComparer.Ordinal);

    /// <summary>The rotation of a cycle whose lines come first in ordinal order.</summary>
    private static ImmutableArray<SignatureLine> SmallestRotation(ImmutableArray<SignatureLine> cycle)
    {
        int best = 0;
        for (int start = 1; start < cycle.Length; start++)
        {
            best = Compare(cycle, start, best) < 0 ? start : best;
        }

        return [.. cycle[best..], .. cycle[..best]];
    }

    private static int Compare(ImmutableArray<SignatureLine> cycle, int first, int second)
    {
        for (int i = 0; i < cycle.Length; i++)
        {
            if (string.CompareOrdinal(cycle[(first + i) % cycle.Length].Text, cycle[(second + i) % cycle.Length].Text) is var order and not 0)
            {
                return order;
            }
        }

        return 0;
    }
}
