using System.Collections.Immutable;
using Dump.Analysis.Knowledge;
using Dump.Model;

namespace Dump.Analysis.Spinning;

/// <summary>
/// Infers who holds the lock of an unknown library that a thread spins on. The lock has no owner field that we know, so the
/// rule asks for exactly one other thread that is blocked elsewhere with frames of the same module or family on its stack:
/// suspected alone, derived together with a non-zero lock word, proven when the word the loop tests holds that thread's id.
/// </summary>
public static class SpinLockRule
{
    /// <summary>Applies the rule to every spinning thread of a snapshot.</summary>
    public static SpinFindings Apply(ProcessSnapshot snapshot, AnalysisOptions options)
    {
        ImmutableArray<SpinObservation> spins = SpinDetection.Find(snapshot, options);
        HashSet<uint> spinning = [.. spins.Select(s => s.Thread.Id)];
        HashSet<uint> waiting = [.. snapshot.Waits.Where(w => w.Resource.Kind != ResourceKind.Work).Select(w => w.ThreadId)];
        List<WaitFact> waits = [];
        List<OwnershipFact> ownerships = [];
        foreach (SpinObservation spin in spins)
        {
            SpinWord? word = BestWord(snapshot, spin);
            Resource resource = word is null
                ? new Resource(ResourceKind.SpinLock, 0, spin.Thread.Id)
                : new Resource(ResourceKind.SpinLock, word.Address);
            ThreadSnapshot[] candidates = [.. snapshot.Threads.Where(t =>
                !t.HasExited && !spinning.Contains(t.Id) && waiting.Contains(t.Id) && FrameOfFamily(t, spin.ModuleStem) is not null)];
            ThreadSnapshot? holder = Holder(word, candidates);
            waits.Add(Wait(spin, word, resource, holder));
            if (holder is not null)
            {
                ownerships.Add(Ownership(snapshot, spin, word, resource, holder, candidates));
            }
        }

        return new SpinFindings(spins, [.. waits], [.. ownerships.DistinctBy(o => (o.Resource, o.OwnerThreadId))]);
    }

    private static SpinWord? BestWord(ProcessSnapshot snapshot, SpinObservation spin) =>
        spin.Thread.SpinWords
            .Where(w => w.Value != 0 && w.Value != spin.Thread.Id && !IsOwnLock(snapshot, spin.Thread.Id, w.Address))
            .OrderByDescending(w => w.FromInstruction)
            .FirstOrDefault();

    /// <summary>True for the address of a lock that the thread itself holds: a register keeps it for the release, and nobody spins on what he holds.</summary>
    private static bool IsOwnLock(ProcessSnapshot snapshot, uint thread, ulong address) => snapshot.Ownerships.Any(o =>
        o.OwnerThreadId == thread && o.Resource is { Kind: ResourceKind.CriticalSection or ResourceKind.LoaderLock, Identity: var at } && at == address);

    private static ThreadSnapshot? Holder(SpinWord? word, ThreadSnapshot[] candidates)
    {
        if (word is { FromInstruction: true }
            && candidates.FirstOrDefault(t => t.Id == word.Value) is { } named)
        {
            return named;
        }

        return candidates.Length == 1 ? candidates[0] : null;
    }

    private static WaitFact Wait(SpinObservation spin, SpinWord? word, Resource resource, ThreadSnapshot? holder)
    {
        List<Evidence> evidence =
        [
            new(EvidenceSource.Stack, spin.FrameIndex > 0
                ? $"yield functions directly above {spin.Module} (frame {spin.FrameIndex})"
                : spin.Thread.SpinWords.Any(w => w.FromInstruction) ? $"executing in {spin.Module}, in a loop that tests a word of memory"
                : $"executing in {spin.Module}"),
        ];
        if (spin.Thread.Times is { } times)
        {
            evidence.Add(new(EvidenceSource.DumpStream, Text.Naming.Times(times)));
        }

        if (word is not null)
        {
            evidence.Add(WordEvidence(word));
        }

        // A loop that tests a word naming another thread waits for that thread, however little processor time it has got so far.
        bool wordNamesHolder = word is { FromInstruction: true } && word.Value == holder?.Id;
        Grade grade = word is null ? Grade.Suspected
            : wordNamesHolder && spin.Grade == Grade.Derived ? Grade.Proven
            : spin.Grade;
        return new WaitFact(spin.Thread.Id, resource, WaitTimeout.Infinite, grade, [.. evidence]);
    }

    private static OwnershipFact Ownership(
        ProcessSnapshot snapshot, SpinObservation spin, SpinWord? word, Resource resource, ThreadSnapshot holder, ThreadSnapshot[] candidates)
    {
        StackFrame frame = FrameOfFamily(holder, spin.ModuleStem)!;
        List<Evidence> evidence =
        [
            new(EvidenceSource.Stack, $"{frame.Module} is on the stack of {new Text.Naming(snapshot).Thread(holder.Id)}, which is blocked elsewhere"),
        ];
        bool wordNamesHolder = word is { FromInstruction: true } && word.Value == holder.Id;
        if (word is not null)
        {
            evidence.Add(WordEvidence(word));
        }

        if (wordNamesHolder)
        {
            evidence.Add(new(EvidenceSource.Memory, $"the word holds that thread's id 0x{holder.Id:x}", word!.Address, word.Value));
        }
        else
        {
            evidence.Add(new(EvidenceSource.Rule, $"no other blocked thread has frames of {ModuleFamilies.Of(spin.ModuleStem)}"));
        }

        bool isProgram = string.Equals(spin.Module, snapshot.ProcessName, StringComparison.OrdinalIgnoreCase);
        bool weakStack = frame.Trust == FrameTrust.Scan;
        Grade grade = wordNamesHolder ? (weakStack ? Grade.Derived : Grade.Proven)
            : word is not null && !isProgram && !weakStack && spin.Grade >= Grade.Derived && candidates.Length == 1 ? Grade.Derived
            : Grade.Suspected;
        return new OwnershipFact(resource, holder.Id, OwnerIsAlive: true, RecursionCount: null, grade, [.. evidence]);
    }

    private static Evidence WordEvidence(SpinWord word) => new(
        word.FromInstruction ? EvidenceSource.Code : EvidenceSource.Register,
        word.FromInstruction ? "the loop tests a lock word that is not zero" : "a register of the spinning frame points to a word that is not zero",
        word.Address,
        word.Value);

    private static StackFrame? FrameOfFamily(ThreadSnapshot thread, string stem)
    {
        string family = ModuleFamilies.Of(stem);
        return thread.Stack.Frames.FirstOrDefault(f => f.ModuleStem is { } s && ModuleFamilies.Of(s) == family);
    }
}
