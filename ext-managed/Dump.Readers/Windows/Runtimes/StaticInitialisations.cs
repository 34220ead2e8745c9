using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Windows.Waits;

namespace Dump.Readers.Windows.Runtimes;

/// <summary>
/// Finds waits for the initialisation of a function-local static variable in code of Microsoft's compiler. Such a thread stands in _Init_thread_header, which
/// symbols name, with the address of the variable's guard as argument; while a thread initialises the variable the guard is -1 (vcruntime's
/// thread_safe_statics.cpp). Who that is stands nowhere: it is inside the same function, or, when that was inlined, inside another one, so that a single thread
/// with the function on its stack is no more than suspected.
/// </summary>
internal static class StaticInitialisations
{
    private const string Header = "_Init_thread_header";
    private const uint BeingInitialised = uint.MaxValue;

    /// <summary>
    /// Replaces waits for the condition variable behind such an initialisation by waits for the initialisation, and names a suspected runner.
    /// </summary>
    /// <param name="process">The process.</param>
    /// <param name="findings">One for each thread, in the threads' order.</param>
    /// <param name="descriptions">Receives what such a resource is in words.</param>
    public static List<WaitFindings> Complete(WindowsProcess process, List<WaitFindings> findings, IDictionary<Resource, ResourceDescription> descriptions)
    {
        List<(int Thread, Resource Resource, ulong Function, int Frame)> waits = [];
        for (int i = 0; i < findings.Count; i++)
        {
            if (findings[i].Waits.Count == 1 && Guard(process, process.Threads[i]) is var (guard, frame)
                && process.Threads[i].Walked[frame].FunctionStart is { } function)
            {
                waits.Add((i, new Resource(ResourceKind.OneTimeInitialization, guard), function, frame));
                descriptions[new Resource(ResourceKind.OneTimeInitialization, guard)] =
                    new ResourceDescription("initialisation of the static variable with guard", null);
            }
        }

        if (waits.Count == 0)
        {
            return findings;
        }

        Dictionary<ulong, HashSet<uint>>? inside = Inside(process, waits.ToDictionary(w => w.Thread, w => w.Frame), waits.Select(w => w.Function));
        List<WaitFindings> completed = [.. findings];
        foreach ((int thread, Resource resource, ulong function, _) in waits)
        {
            WaitFact wait = findings[thread].Waits[0] with { Resource = resource, Timeout = WaitTimeout.Infinite, Milliseconds = null };
            completed[thread] = findings[thread] with
            {
                Waits = [wait with { Evidence = wait.Evidence.Add(new Evidence(EvidenceSource.Memory,
                    $"{Header} waits until this guard, which says \"being initialised\", changes", resource.Identity)) }],
                Ownerships = Runner(resource, function, inside) is { } runner ? [runner] : [],
            };
        }

        return completed;
    }

    /// <summary>
    /// The guard and the index of the function that has the variable; null when the thread is in no such wait
    /// or the guard does not say that somebody initialises it.
    /// </summary>
    private static (ulong Guard, int Frame)? Guard(WindowsProcess process, WindowsThread thread)
    {
        int caller = HandleWaits.CallerIndex(thread);
        for (int i = caller; i < Math.Min(caller + 2, thread.Frames.Length - 1); i++)
        {
            if (thread.Frames[i] is { Function: Header, Trust: > FrameTrust.Scan })
            {
                return Instructions.CallSiteReader.Read(process.Dump, thread.Walked[i + 1]).First is { } guard
                    && process.Dump.ReadUInt32(guard) == BeingInitialised ? (guard, i + 1) : null;
            }
        }

        return null;
    }

    /// <summary>
    /// The threads inside each function that has such a variable, apart from the frames that wait for it; null when a stack was not walked to its end.
    /// </summary>
    private static Dictionary<ulong, HashSet<uint>>? Inside(WindowsProcess process, Dictionary<int, int> waitingFrames, IEnumerable<ulong> functions)
    {
        Dictionary<ulong, HashSet<uint>> inside = functions.Distinct().ToDictionary(f => f, _ => new HashSet<uint>());
        for (int i = 0; i < process.Threads.Count; i++)
        {
            WindowsThread thread = process.Threads[i];
            if (thread.End != StackEnd.Complete)
            {
                return null;
            }

            for (int frame = waitingFrames.TryGetValue(i, out int waiting) ? waiting + 1 : 0; frame < thread.Walked.Count; frame++)
            {
                if (thread.Walked[frame].FunctionStart is { } function && inside.TryGetValue(function, out HashSet<uint>? threads))
                {
                    threads.Add(thread.Id);
                }
            }
        }

        return inside;
    }

    private static OwnershipFact? Runner(Resource resource, ulong function, Dictionary<ulong, HashSet<uint>>? inside) =>
        inside?[function] is { Count: 1 } threads
            ? new OwnershipFact(resource, threads.First(), true, null, Grade.Suspected,
                [new Evidence(EvidenceSource.Rule,
                    "a candidate only, because no owner is stored: no other thread is inside the function that has the variable", function)])
            : null;
}
