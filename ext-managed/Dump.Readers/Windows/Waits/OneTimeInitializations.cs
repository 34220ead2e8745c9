using Dump.Model.Facts;
using Dump.Model.Waits;

namespace Dump.Readers.Windows.Waits;

/// <summary>
/// Finds the thread that runs a one-time initialisation (INIT_ONCE) for which others wait: it has the
/// function that calls the initialiser on its stack, with the same address as argument.
/// </summary>
internal static class OneTimeInitializations
{
    // An initialiser may start others; more in one thread or in all would be stacks made to keep the reader busy.
    private const int MostOfOneThread = 16;
    private const int MostInAll = 10_000;

    /// <summary>Completes the waits for identified initialisations with their owners, where exactly one thread runs one.</summary>
    /// <param name="process">The process.</param>
    /// <param name="findings">One for each thread, in the threads' order.</param>
    public static List<WaitFindings> Complete(WindowsProcess process, List<WaitFindings> findings)
    {
        HashSet<Resource> waited = [.. findings.SelectMany(f => f.Waits).Select(w => w.Resource)
            .Where(r => r is { Kind: ResourceKind.OneTimeInitialization, Identity: not 0 })];
        if (waited.Count == 0)
        {
            return findings;
        }

        ILookup<ulong, WindowsThread> runners = process.Threads.SelectMany(t => Calls(t).Take(MostOfOneThread).Select(frame => (Thread: t, Frame: frame)))
            .Take(MostInAll)
            .Select(call => (Address: ArgumentOf(process, call.Thread, call.Frame) ?? 0, call.Thread))
            .DistinctBy(r => (r.Address, r.Thread.Id)).ToLookup(r => r.Address, r => r.Thread);
        Dictionary<Resource, OwnershipFact> owners = [];
        foreach (Resource resource in waited)
        {
            if (runners[resource.Identity].ToArray() is [{ } runner])
            {
                Grade trust = runner.TrustOf(runner.Frames.Length);
                owners[resource] = new OwnershipFact(resource, runner.Id, true, null, trust < Grade.Derived ? trust : Grade.Derived,
                    [new Evidence(EvidenceSource.Code, "the only thread inside RtlRunOnceExecuteOnce with this address as argument runs its initialiser",
                        resource.Identity)]);
            }
        }

        return
        [
            .. findings.Select(f => f with
            {
                Ownerships = [.. f.Ownerships, .. f.Waits.Select(w => owners.GetValueOrDefault(w.Resource)).OfType<OwnershipFact>()],
            }),
        ];
    }

    /// <summary>The frames of a thread that call an initialiser.</summary>
    private static IEnumerable<int> Calls(WindowsThread thread) => Enumerable.Range(1, Math.Max(0, thread.Frames.Length - 1))
        .Where(i => thread.Frames[i].Is("ntdll", "RtlRunOnceExecuteOnce") && thread.Frames[i - 1].ModuleStem != "ntdll");

    /// <summary>The argument by the code of the caller, or, where that only passes on its own, of kernelbase's or kernel32's caller.</summary>
    private static ulong? ArgumentOf(WindowsProcess process, WindowsThread thread, int index)
    {
        ulong? direct = WaitArguments.Read(process, thread, index + 1).Address;
        return direct
            ?? (index + 1 < thread.Frames.Length && thread.Frames[index + 1] is { ModuleStem: "kernelbase" or "kernel32", Function: "InitOnceExecuteOnce" }
            ? WaitArguments.Read(process, thread, index + 2).Address
            : null);
    }
}
