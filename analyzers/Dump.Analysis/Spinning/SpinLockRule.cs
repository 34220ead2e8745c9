using System.Collections.Immutable;
using Dump.Analysis.Knowledge;
using Dump.Analysis.Options;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Spinning;

/// <summary>
/// Infers who holds the lock of an unknown library that a thread spins on. The lock has no owner field that we know, so the
/// rule asks for exactly one other thread that is blocked elsewhere with frames of the same module or family on its stack:
/// suspected alone; derived together with a non-zero word that the loop tests, when no other thread can be inside that module;
/// proven when that word holds the thread's id. A word that names another living thread clears the candidate.
/// </summary>
public static class SpinLockRule
{
    /// <summary>Applies the rule to every spinning thread of a snapshot whose lock the snapshot does not tell already.</summary>
    public static SpinFindings Apply(ProcessSnapshot snapshot, AnalysisOptions options)
    {
        ImmutableArray<SpinObservation> spins = SpinDetection.Find(snapshot, options);
        SpinSurroundings around = new(snapshot, spins);
        Naming names = new(snapshot);
        HashSet<uint> known = [.. snapshot.Waits.Where(w => w.Resource.Kind == ResourceKind.SpinLock).Select(w => w.ThreadId)];
        List<WaitFact> waits = [];
        List<OwnershipFact> ownerships = [];
        foreach (SpinObservation spin in spins.Where(s => !known.Contains(s.Thread.Id)))
        {
            SpinWord? word = around.WordOf(spin.Thread.Id);
            Resource resource = word is null
                ? new Resource(ResourceKind.SpinLock, 0, spin.Thread.Id)
                : new Resource(ResourceKind.SpinLock, word.Address);
            (ThreadSnapshot? holder, StackFrame? frame) = SaysNothing(snapshot, spin, word) ? (null, null) : Holder(around, spin, word);
            waits.Add(Wait(spin, word, resource, holder));
            if (holder is not null && frame is not null)
            {
                ownerships.Add(Ownership(snapshot, names, spin, word, resource, holder, frame, around.IsAlone(spin, word)));
            }
        }

        return new SpinFindings(spins, [.. waits], [.. ownerships.DistinctBy(o => (o.Resource, o.OwnerThreadId))]);
    }

    /// <summary>
    /// True in the program's own file without a word that a loop tests: every thread of the program has frames of it, so that a shared module means nothing.
    /// </summary>
    private static bool SaysNothing(ProcessSnapshot snapshot, SpinObservation spin, SpinWord? word) =>
        IsProgram(snapshot, spin) && word is not { FromInstruction: true };

    private static bool IsProgram(ProcessSnapshot snapshot, SpinObservation spin) =>
        string.Equals(spin.Module, snapshot.ProcessName, StringComparison.OrdinalIgnoreCase);

    private static (ThreadSnapshot? Thread, StackFrame? Frame) Holder(SpinSurroundings around, SpinObservation spin, SpinWord? word)
    {
        IReadOnlyDictionary<uint, (ThreadSnapshot, StackFrame)> candidates = around.Candidates(spin);
        return word is { FromInstruction: true, Value: <= uint.MaxValue and var value } && around.IsAlive((uint)value)
            ? candidates.GetValueOrDefault((uint)value)
            : candidates.Count == 1 ? candidates.Values.First()
            : (null, null);
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
            evidence.Add(new(EvidenceSource.DumpStream, Naming.Times(times)));
        }

        if (word is not null)
        {
            evidence.Add(WordEvidence(word));
        }

        // A loop that tests a word naming another thread waits for that thread, however little processor time it has got so far.
        bool wordNamesHolder = word is { FromInstruction: true } && word.Value == holder?.Id;
        Grade grade = word is null ? Grade.Suspected
            : !wordNamesHolder || spin.Thread.Stack.Frames[spin.FrameIndex].Trust == FrameTrust.Scan
                || (YieldFunctions.IsSleep(spin.Thread.Activity.SystemCall) && spin.Grade == Grade.Suspected) ? spin.Grade
            : spin.FrameIndex > 0 ? Grade.Proven
            : Grade.Derived;
        return new WaitFact(spin.Thread.Id, resource, WaitTimeout.Infinite, grade, [.. evidence]);
    }

    private static OwnershipFact Ownership(
        ProcessSnapshot snapshot, Naming names, SpinObservation spin, SpinWord? word, Resource resource, ThreadSnapshot holder, StackFrame frame,
        bool isAlone)
    {
        List<Evidence> evidence =
        [
            new(EvidenceSource.Stack, $"{frame.Module} is on the stack of {names.Thread(holder.Id)}, which is blocked elsewhere"),
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
        else if (isAlone)
        {
            evidence.Add(new(EvidenceSource.Rule, $"no other thread has frames of {ModuleFamilies.Of(spin.ModuleStem)}"));
        }
        else
        {
            evidence.Add(new(EvidenceSource.Rule, $"no other blocked thread has frames of {ModuleFamilies.Of(spin.ModuleStem)}"));
        }

        bool weakStack = frame.Trust == FrameTrust.Scan;
        Grade grade = wordNamesHolder ? (weakStack ? Grade.Derived : Grade.Proven)
            : word is { FromInstruction: true } && isAlone && !IsProgram(snapshot, spin) && !weakStack && spin.Grade >= Grade.Derived ? Grade.Derived
            : Grade.Suspected;
        return new OwnershipFact(resource, holder.Id, OwnerIsAlive: true, RecursionCount: null, grade, [.. evidence]);
    }

    private static Evidence WordEvidence(SpinWord word) => new(
        word.FromInstruction ? EvidenceSource.Code : EvidenceSource.Register,
        word.FromInstruction ? "the loop tests a lock word that is not zero" : "a register of the spinning frame points to a word that is not zero",
        word.Address,
        word.Value);
}
