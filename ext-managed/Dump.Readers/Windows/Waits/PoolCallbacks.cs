using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Unwinding;
using Dump.Readers.Unwinding.Frames;

namespace Dump.Readers.Windows.Waits;

/// <summary>
/// Finds the threads that run callbacks of a thread-pool object for whose callbacks another thread waits. Neither the object nor the pool stores them in a
/// known place, but ntdll hands the object to each callback (threadpoolapiset.h, PTP_WORK_CALLBACK), so that the frames of ntdll that called it keep its
/// address.
/// </summary>
internal static class PoolCallbacks
{
    // What the frames of ntdll around a callback take of a stack, with room.
    private const int MostWords = 256;

    // Threads that run callbacks are few; more would be a dump made to keep the reader busy.
    private const int MostRunners = 1_000;

    // A wait has one for each callback that runs at once, and every waiter is joined with each of them.
    private const int MostOfOneObject = 64;

    /// <summary>
    /// Completes the waits for callbacks of identified objects with the threads that run them: the wait ends only when each of them has returned.
    /// </summary>
    /// <param name="process">The process.</param>
    /// <param name="findings">One for each thread, in the threads' order.</param>
    public static List<WaitFindings> Complete(WindowsProcess process, List<WaitFindings> findings)
    {
        HashSet<ulong> waited =
        [
            .. findings.SelectMany(f => f.Waits).Select(w => w.Resource)
                .Where(r => r is { Kind: ResourceKind.PoolCallbacks, Identity: not 0 }).Select(r => r.Identity),
        ];
        if (waited.Count == 0)
        {
            return findings;
        }

        ILookup<ulong, OwnershipFact> runners = process.Threads.Where(t => CallbackIndex(t) is not null).Take(MostRunners)
            .SelectMany(t => Runs(process, t, CallbackIndex(t)!.Value, waited)).ToLookup(o => o.Resource.Identity);

        // Who runs them is told once for an object, however many threads wait for it.
        return
        [
            .. findings.Select(f => f with
            {
                Ownerships =
                [
                    .. f.Ownerships,
                    .. f.Waits.Where(w => w.Resource.Kind == ResourceKind.PoolCallbacks && waited.Remove(w.Resource.Identity))
                        .SelectMany(w => runners[w.Resource.Identity].Take(MostOfOneObject)),
                ],
            }),
        ];
    }

    /// <summary>
    /// Index of the frame of ntdll that called a callback of a pool worker, or null: the outermost frames are ntdll's and kernel32's alone, and one of ntdll
    /// besides the thread's start stands directly around code of others.
    /// </summary>
    private static int? CallbackIndex(WindowsThread thread)
    {
        if (thread.End != StackEnd.Complete)
        {
            return null;
        }

        int first = thread.Frames.Length;
        while (first > 0 && thread.Frames[first - 1] is { ModuleStem: "ntdll" or "kernel32", Trust: > FrameTrust.Scan })
        {
            first--;
        }

        bool isWorker = first > 0 && first < thread.Frames.Length && thread.Frames[first].ModuleStem == "ntdll"
            && thread.Frames[first] is not { Function: "RtlUserThreadStart" or "LdrInitializeThunk" };
        return isWorker ? first : null;
    }

    /// <summary>
    /// The objects whose callback the thread runs: those that registers of the frame that called it keep, else those that ntdll's frames around it hold. Of
    /// several objects each is no more than a candidate, and so is any that only the frames hold: these also have what earlier callbacks have left there.
    /// </summary>
    private static IEnumerable<OwnershipFact> Runs(WindowsProcess process, WindowsThread thread, int index, HashSet<ulong> waited)
    {
        WalkedFrame caller = thread.Walked[index];
        ulong[] kept = [.. caller.Registers.Nonvolatile.Where(waited.Contains).Distinct()];
        bool isLeft = kept.Length == 0;
        if (isLeft)
        {
            kept = [.. WordsOf(process, thread, index).Where(waited.Contains).Distinct()];
        }

        Grade grade = isLeft || kept.Length > 1 ? Grade.Suspected : (Grade)Math.Min((int)thread.TrustOf(thread.Frames.Length), (int)Grade.Derived);
        return kept.Select(value => new OwnershipFact(
            new Resource(ResourceKind.PoolCallbacks, value), thread.Id, true, null, grade,
            [
                new Evidence(
                    EvidenceSource.Memory, $"ntdll's frames around the callback that the thread runs (frame {index}) keep the object's address", null, value),
            ]));
    }

    /// <summary>The words of ntdll's frames directly around the callback, up to the frame of kernel32 below which the thread began.</summary>
    private static IEnumerable<ulong> WordsOf(WindowsProcess process, WindowsThread thread, int index)
    {
        int outer = index;
        while (outer < thread.Walked.Count && thread.Frames[outer].ModuleStem == "ntdll")
        {
            outer++;
        }

        ulong start = thread.Walked[index].StackPointer;
        ulong end = outer < thread.Walked.Count ? thread.Walked[outer].StackPointer : thread.Environment?.Stack.Base ?? start;
        for (int i = 0; i < MostWords; i++)
        {
            ulong at = unchecked(start + ((ulong)i * (uint)process.PointerSize));
            if (at < start || at >= end || process.Dump.ReadPointer(at, process.PointerSize) is not { } value)
            {
                yield break;
            }

            yield return value;
        }
    }
}
