using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Waits;
using Dump.Model.Wording;
using Dump.Readers.ElfCore;

namespace Dump.Readers.Linux.Waits;

/// <summary>
/// Who holds the locks of the C library that store no owner, where exactly one can: a thread whose function that takes the lock a handler of signals interrupted,
/// and which goes on only when the handler returns; or nobody who is left, in a process with one thread. A thread that is inside of such a function by
/// itself will leave it, so that nothing is said while there is one; nor where a stack is not known to its end, or a thread executes code of the library without
/// a name.
/// </summary>
internal static class LibraryLockOwners
{
    /// <summary>The holders, never better known than <see cref="Grade.Derived"/>.</summary>
    /// <param name="threads">All threads, each with its stack.</param>
    /// <param name="waits">Who waits.</param>
    /// <param name="locks">The locks.</param>
    /// <param name="memoryIsOfAnother">True where the process runs in the memory of another one, whose threads are not listed.</param>
    public static IEnumerable<OwnershipFact> Find(
        (ElfThread Thread, ThreadStack Stack)[] threads, IReadOnlyList<WaitFact> waits, IReadOnlyDictionary<Resource, LibraryLock> locks, bool memoryIsOfAnother)
    {
        if (locks.Count == 0 || memoryIsOfAnother
            || threads.Any(t => t.Stack.End != StackEnd.Complete || t.Stack.Frames.Any(f => f.Trust < FrameTrust.UnwindInfo) || IsSomewhereInside(t.Thread, t.Stack.Frames)))
        {
            yield break;
        }

        Place[] inside = [.. threads.SelectMany(t => Inside(t.Thread.Id, t.Stack.Frames))];
        foreach ((Resource resource, LibraryLock taken) in locks)
        {
            HashSet<uint> waiters = [.. waits.Where(w => w.Resource == resource).Select(w => w.ThreadId)];
            Place[] candidates = [.. inside.Where(i => i.Lock == taken && !(i.IsInnermost && waiters.Contains(i.Thread)))];
            if (taken.IsKnown && candidates is [{ Signal: { } signal } only])
            {
                yield return new OwnershipFact(resource, only.Thread, true, null, Grade.Derived,
                [
                    new Evidence(EvidenceSource.Stack,
                        $"a handler of {LinuxSignals.NameOf(signal.Signal)} interrupted {SafeText.Clean(only.Function.Called)} of the C library, which takes this lock",
                        only.Function.InstructionPointer),
                    new Evidence(EvidenceSource.Rule, "no other thread is inside of a function that takes this lock"),
                ]);
            }
            else if (candidates.Length == 0 && threads.Length == 1)
            {
                yield return new OwnershipFact(resource, 0, false, null, Grade.Derived,
                [
                    new Evidence(EvidenceSource.Rule, "the process has one thread, which waits for the lock and is not inside of another function that takes it"),
                ])
                {
                    OwnerDescription = "a thread",
                };
            }
        }
    }

    /// <summary>True for a thread that executes code of the C library without a name: it may be inside of any function.</summary>
    private static bool IsSomewhereInside(ElfThread thread, ImmutableArray<StackFrame> frames) =>
        thread.SystemCall is null or < 0 && frames is [{ Called: null } innermost, ..] && LibraryEntry.IsC(innermost.Module);

    /// <summary>
    /// The C library's functions that take such locks and in which a thread stands, wherever on its stack they are: the library also calls others, which may wait.
    /// A function that a handler interrupted while it waited for a lock does not have it.
    /// </summary>
    private static IEnumerable<Place> Inside(uint thread, ImmutableArray<StackFrame> frames)
    {
        StackFrame? signal = null;
        for (int first = 0, next; first < frames.Length; first = next)
        {
            next = first + 1;
            if (frames[first].IsOfSignal)
            {
                signal = frames[first];
                continue;
            }

            if (!LibraryEntry.IsC(frames[first].Module))
            {
                signal = null;
                continue;
            }

            while (next < frames.Length && LibraryEntry.IsC(frames[next].Module) && !frames[next].IsOfSignal)
            {
                next++;
            }

            bool waits = signal is not null && frames[first].Called == LibraryLock.Wait;
            foreach ((int depth, (LibraryLock taken, StackFrame function)) in LibraryLock.Of(frames[first..next]).Index())
            {
                if (!waits || depth > 0)
                {
                    yield return new Place(thread, taken, function, signal, first == 0 && depth == 0);
                }
            }

            signal = null;
        }
    }

    /// <summary>A function in which a thread stands and that takes a lock.</summary>
    /// <param name="Thread">The thread.</param>
    /// <param name="Lock">The lock.</param>
    /// <param name="Function">The function's frame.</param>
    /// <param name="Signal">The frame of the handler that interrupted it; null where it was not.</param>
    /// <param name="IsInnermost">True for the innermost one of the thread: one for whose lock it may wait.</param>
    private sealed record Place(uint Thread, LibraryLock Lock, StackFrame Function, StackFrame? Signal, bool IsInnermost);
}
