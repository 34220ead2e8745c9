using System.Collections.Immutable;
using Dump.Analysis.Knowledge;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Analysis.Spinning;

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
