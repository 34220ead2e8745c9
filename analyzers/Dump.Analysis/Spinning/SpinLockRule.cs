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

/// <summary>
/// What stands around the threads that spin, found once for all of them: with thousands of spinning threads each would otherwise be compared with all others.
/// </summary>
internal sealed class SpinSurroundings
{
    private readonly Dictionary<string, Library> _libraries = new(StringComparer.OrdinalIgnoreCase);
    private readonly Dictionary<uint, SpinWord> _words = [];
    private readonly HashSet<uint> _alive;
    private readonly int _withoutEnd;
    private readonly Dictionary<ulong, int> _withoutEndByWord = [];

    /// <summary>Looks at every frame of the process once.</summary>
    public SpinSurroundings(ProcessSnapshot snapshot, ImmutableArray<SpinObservation> spins)
    {
        ThreadSnapshot[] alive = [.. snapshot.Threads.Where(t => !t.HasExited)];
        _alive = [.. alive.Select(t => t.Id)];
        HashSet<uint> spinning = [.. spins.Select(s => s.Thread.Id)];
        HashSet<uint> waiting = [.. snapshot.Waits.Where(w => w.Resource.Kind != ResourceKind.Work).Select(w => w.ThreadId)];
        HashSet<(uint, ulong)> own =
            [.. snapshot.Ownerships.Where(o => o.Resource.Facts.IsCriticalSection).Select(o => (o.OwnerThreadId, o.Resource.Identity))];
        foreach (SpinObservation spin in spins)
        {
            if (BestWord(spin.Thread, own) is { } word)
            {
                _words.TryAdd(spin.Thread.Id, word);
            }

            _libraries.TryAdd(ModuleFamilies.KeyOf(spin.Module, spin.ModuleStem), new Library());
        }

        _withoutEnd = alive.Count(t => t.Stack.End != StackEnd.Complete);
        foreach (ThreadSnapshot thread in alive)
        {
            Add(thread, isCandidate: !spinning.Contains(thread.Id) && waiting.Contains(thread.Id));
        }
    }

    /// <summary>The word that a spinning thread most likely tests, or null.</summary>
    public SpinWord? WordOf(uint thread) => _words.GetValueOrDefault(thread);

    /// <summary>True for a living thread.</summary>
    public bool IsAlive(uint thread) => _alive.Contains(thread);

    /// <summary>The blocked threads with frames of the library, by id, each with the innermost of those: it may hold the library's lock.</summary>
    public IReadOnlyDictionary<uint, (ThreadSnapshot Thread, StackFrame Frame)> Candidates(SpinObservation spin) => Of(spin).Candidates;

    /// <summary>
    /// True when nobody but the holder can hold the lock: every other thread inside the library, or whose stack is not known to its end (a spin lock's usual
    /// holder runs), spins on the same word.
    /// </summary>
    public bool IsAlone(SpinObservation spin, SpinWord? word)
    {
        Library library = Of(spin);
        int onlyWait = word is not null ? library.ByWord.GetValueOrDefault(word.Address) + _withoutEndByWord.GetValueOrDefault(word.Address)
            : spin.Thread.HasExited ? 0 : 1;
        const int Holder = 1;
        return library.Candidates.Count == 1 && library.Inside + _withoutEnd - onlyWait - Holder <= 0;
    }

    private Library Of(SpinObservation spin) => _libraries[ModuleFamilies.KeyOf(spin.Module, spin.ModuleStem)];

    private void Add(ThreadSnapshot thread, bool isCandidate)
    {
        bool isComplete = thread.Stack.End == StackEnd.Complete;
        ulong? word = WordOf(thread.Id)?.Address;
        if (!isComplete && word is { } open)
        {
            _withoutEndByWord[open] = _withoutEndByWord.GetValueOrDefault(open) + 1;
        }

        HashSet<Library> inside = [];
        foreach (StackFrame frame in thread.Stack.Frames)
        {
            if (frame is { Module: { } module, ModuleStem: { } stem }
                && _libraries.TryGetValue(ModuleFamilies.KeyOf(module, stem), out Library? library) && inside.Add(library))
            {
                library.Add(thread, isCandidate ? frame : null, isComplete, word);
            }
        }
    }

    /// <summary>No address of a lock that the thread itself holds: a register keeps it for the release, and nobody spins on what he holds.</summary>
    private static SpinWord? BestWord(ThreadSnapshot thread, HashSet<(uint, ulong)> own) =>
        thread.SpinWords.Where(w => w.Value != 0 && w.Value != thread.Id && !own.Contains((thread.Id, w.Address)))
            .OrderByDescending(w => w.FromInstruction)
            .FirstOrDefault();

    /// <summary>The threads inside a library, or a family of them.</summary>
    private sealed class Library
    {
        public Dictionary<uint, (ThreadSnapshot Thread, StackFrame Frame)> Candidates { get; } = [];

        /// <summary>How many threads whose whole stack is known are inside.</summary>
        public int Inside { get; private set; }

        /// <summary>How many of those spin, by the word that they test.</summary>
        public Dictionary<ulong, int> ByWord { get; } = [];

        public void Add(ThreadSnapshot thread, StackFrame? candidate, bool isComplete, ulong? word)
        {
            if (candidate is not null)
            {
                Candidates.TryAdd(thread.Id, (thread, candidate));
            }

            Inside += isComplete ? 1 : 0;
            if (isComplete && word is { } tested)
            {
                ByWord[tested] = ByWord.GetValueOrDefault(tested) + 1;
            }
        }
    }
}

/// <summary>Finds spinning threads by their innermost frames.</summary>
internal static class SpinDetection
{
    public static ImmutableArray<SpinObservation> Find(ProcessSnapshot snapshot, AnalysisOptions options)
    {
        ILookup<string, ModuleSnapshot> modules = snapshot.Modules.ToLookup(m => m.Name, StringComparer.OrdinalIgnoreCase);
        return [.. snapshot.Threads.Select(t => Observe(t, modules, options)).OfType<SpinObservation>()];
    }

    private static SpinObservation? Observe(ThreadSnapshot thread, ILookup<string, ModuleSnapshot> modules, AnalysisOptions options)
    {
        ImmutableArray<StackFrame> frames = thread.Stack.Frames;
        int index = thread.Activity.Kind switch
        {
            ThreadActivityKind.Yielding => FirstFrameAboveYield(frames),
            ThreadActivityKind.Running => 0,
            _ => -1,
        };
        if (index < 0 || index >= frames.Length || frames[index] is not { Module: { } module, ModuleStem: { } stem } frame
            || modules[module].Any(m => m.IsSystem == true))
        {
            return null;
        }

        bool? busy = ProcessorLoad.IsBusy(thread, options);
        bool yields = index > 0;
        if (!yields && (busy == false || thread.SpinWords.IsEmpty))
        {
            // A thread that merely runs is no spinner: it takes a tested lock word, and time when times are recorded.
            return null;
        }

        // Every computation reads memory in loops: without a yield, neither load nor tested words tell a spin lock from work. And Sleep(0) is how programs that
        // wait for nothing in particular are kind to others.
        bool mayBeKind = YieldFunctions.IsSleep(thread.Activity.SystemCall) && !ProcessorLoad.ShowsPolling(thread, options);
        Grade grade = frame.Trust == FrameTrust.Scan || !yields || mayBeKind ? Grade.Suspected
            : ProcessorLoad.ShowsPolling(thread, options) ? Grade.Proven
            : Grade.Derived;
        return new SpinObservation(thread, module, stem, index, grade, busy);
    }

    /// <summary>Index of the first frame behind nothing but yield functions, or -1 when the innermost frame is none.</summary>
    private static int FirstFrameAboveYield(ImmutableArray<StackFrame> frames)
    {
        int index = 0;
        while (index < frames.Length && (YieldFunctions.Contains(frames[index]) || (index > 0 && YieldFunctions.MayForward(frames[index]))))
        {
            index++;
        }

        return index == 0 ? -1 : index;
    }
}

/// <summary>Threads that spin, and the waits and ownerships inferred for the locks they spin on.</summary>
/// <param name="Observations">One for each spinning thread.</param>
/// <param name="Waits">The spin as a wait, one for each observation whose lock the snapshot does not tell itself.</param>
/// <param name="Ownerships">Who most likely holds what is spun on; only where exactly one thread qualifies.</param>
public sealed record SpinFindings(
    ImmutableArray<SpinObservation> Observations,
    ImmutableArray<WaitFact> Waits,
    ImmutableArray<OwnershipFact> Ownerships)
{
    private readonly Dictionary<uint, SpinObservation> _byThread = Observations.DistinctBy(o => o.Thread.Id).ToDictionary(o => o.Thread.Id);

    /// <summary>The observation of a thread, or null when it does not spin.</summary>
    public SpinObservation? Of(uint thread) => _byThread.GetValueOrDefault(thread);
}

/// <summary>A thread that spins: it gives up its time slice, or runs, directly inside a module's code.</summary>
/// <param name="Thread">The thread.</param>
/// <param name="Module">Module that spins, as the frames spell it.</param>
/// <param name="ModuleStem">The same, lower case without extension.</param>
/// <param name="FrameIndex">Index of the module's innermost frame.</param>
/// <param name="Grade">How sure it is that the thread spins: proven with yield frames and times of a thread
/// that polls, derived with yield frames alone, suspected otherwise.</param>
/// <param name="BurnsProcessorTime">True when measured processor times show it; false when they show little; null when there are none.</param>
public sealed record SpinObservation(
    ThreadSnapshot Thread,
    string Module,
    string ModuleStem,
    int FrameIndex,
    Grade Grade,
    bool? BurnsProcessorTime);
