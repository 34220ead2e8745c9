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
/// itself will leave it, so that nothing is said while there is one; nor where a stack is not known to its end.
/// </summary>
internal static class LibraryLockOwners
{
    /// <summary>The holders, never better known than <see cref="Grade.Derived"/>.</summary>
    /// <param name="threads">All threads, each with its stack.</param>
    /// <param name="waits">Who waits.</param>
    /// <param name="locks">The locks.</param>
    public static IEnumerable<OwnershipFact> Find(
        (ElfThread Thread, ThreadStack Stack)[] threads, IReadOnlyList<WaitFact> waits, IReadOnlyDictionary<Resource, LibraryLock> locks)
    {
        if (locks.Count == 0 || threads.Any(t => t.Stack.End != StackEnd.Complete || t.Stack.Frames.Any(f => f.Trust < FrameTrust.UnwindInfo)))
        {
            yield break;
        }

        (uint Thread, StackFrame? Signal, StackFrame Function, LibraryLock Lock)[] inside = [.. threads.SelectMany(t => Inside(t.Thread.Id, t.Stack.Frames))];
        foreach ((Resource resource, LibraryLock taken) in locks)
        {
            HashSet<uint> waiters = [.. waits.Where(w => w.Resource == resource).Select(w => w.ThreadId)];
            (uint Thread, StackFrame? Signal, StackFrame Function, LibraryLock Lock)[] candidates =
                [.. inside.Where(i => i.Lock == taken && (i.Signal is not null || !waiters.Contains(i.Thread)))];
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

    /// <summary>The C library's functions that take such locks and in which a thread stands: the innermost ones, and those that handlers interrupted.</summary>
    private static IEnumerable<(uint Thread, StackFrame? Signal, StackFrame Function, LibraryLock Lock)> Inside(uint thread, ImmutableArray<StackFrame> frames)
    {
        for (int first = 0; first <= frames.Length; first++)
        {
            StackFrame? signal = first == 0 ? null : frames[first - 1];
            if (first > 0 && signal is not { IsOfSignal: true })
            {
                continue;
            }

            StackFrame[] own = [.. frames.Skip(first).TakeWhile(f => LibraryEntry.IsC(f.Module) && !f.IsOfSignal)];
            if (LibraryLock.Of(own) is { } taken)
            {
                yield return (thread, signal, Array.Find(own, f => f.Called is { } function && taken.Functions.Contains(function))!, taken);
            }
        }
    }
}
