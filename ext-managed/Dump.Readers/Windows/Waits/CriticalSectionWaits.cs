using System.Collections.Frozen;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Instructions;
using Dump.Readers.Windows.Layouts;
using Dump.Readers.Windows.Locks;

namespace Dump.Readers.Windows.Waits;

/// <summary>Finds the critical section that a thread waits for.</summary>
internal static class CriticalSectionWaits
{
    // Exported functions whose first argument is a section; an RTL_RESOURCE begins with its own.
    private static readonly FrozenSet<string> s_takeSection =
        FrozenSet.Create("RtlEnterCriticalSection", "RtlAcquireResourceShared", "RtlAcquireResourceExclusive", "RtlReleaseResource");

    // Where in the structure code and system keep pointers: to its beginning, to LockCount (what Windows waits on by address),
    // to OwningThread, to LockSemaphore (what Wine waits on).
    private static int[] Offsets(CriticalSectionLayout layout) => [0, layout.LockCount, layout.OwningThread, layout.LockSemaphore];

    /// <summary>Finds the section. When several qualify and none matches the wait exactly, it is not guessed: the wait is reported without identity.</summary>
    /// <param name="process">The process.</param>
    /// <param name="thread">The waiting thread.</param>
    /// <param name="systemCall">The system call it is in.</param>
    /// <param name="isNamed">True when a lock function on the stack says that this is such a wait; false to find out whether it is one.</param>
    public static WaitFindings? Find(WindowsProcess process, WindowsThread thread, string systemCall, bool isNamed)
    {
        if (!isNamed && thread.Caller == WaitCaller.Other)
        {
            return null;
        }

        ThreadActivity activity = new(ThreadActivityKind.Waiting, systemCall, [new Evidence(EvidenceSource.Stack, $"innermost frame ntdll!{systemCall}")]);
        if (Exact(process, thread, systemCall, isNamed) is { } exact)
        {
            return Found(process, thread, activity, exact.Section, OfCall(thread, isNamed), exact.Evidence);
        }

        if (MarkedLoaderLock(process, thread) is { } marked && !Contradicts(process, thread, systemCall, marked))
        {
            // The flag is set inside of the lock's own function alone.
            return Found(process, thread, activity, marked, thread.Caller == WaitCaller.Unknown ? Grade.Derived : Grade.Proven, new Evidence(
                EvidenceSource.Memory, "TEB.WaitingOnLoaderLock is set", thread.Environment!.Address + (ulong?)thread.Environment.Layout.WaitingOnLoaderLock));
        }

        if (!isNamed)
        {
            return null;
        }

        HashSet<ulong> values = StackValues.Read(process.Dump, thread, thread.NtdllRun.Length + 1);
        CriticalSection[] candidates = [.. Candidates(process, thread, values).Where(c => !Contradicts(process, thread, systemCall, c))];
        CriticalSection[] waitedOn = [.. candidates.Where(c => values.Contains(c.Address + (ulong)process.Sections.Layout.WaitWord))];
        if (waitedOn is [{ } matched])
        {
            return Found(process, thread, activity, matched, Grade.Proven, new Evidence(
                EvidenceSource.Register, $"the waiting frames hold the address of its {process.Sections.Layout.WaitWordName}, on which waiters wait",
                matched.Address + (ulong)process.Sections.Layout.WaitWord));
        }

        CriticalSection? called = FromCallSite(process, thread);
        if (called is not null && candidates.Contains(called))
        {
            return Found(process, thread, activity, called, Grade.Proven, new Evidence(
                EvidenceSource.Code, "argument of the call to EnterCriticalSection in the caller's code", called.Address));
        }

        // Its owner has just left it, and the waiter has not run yet. Of other functions the argument is no section.
        if (candidates.Length == 0 && called is { IsLocked: false }
            && (thread.NtdllRun[^1].EnteredAs ?? thread.NtdllRun[^1].Function) is { } function && s_takeSection.Contains(function))
        {
            return Found(process, thread, activity, called, Grade.Derived, new Evidence(
                EvidenceSource.Code, $"argument of the call to {function} in the caller's code; the section is free", called.Address));
        }

        if (candidates is [{ } only])
        {
            return Found(process, thread, activity, only, Grade.Derived, new Evidence(
                EvidenceSource.Register, "the only locked critical section with waiters that the waiting frames point to", only.Address));
        }

        return new WaitFindings(
            activity,
            [
                new WaitFact(
                    thread.Id,
                    new Resource(ResourceKind.CriticalSection, 0, thread.Id),
                    WaitTimeout.Infinite,
                    Grade.Suspected,
                    [new Evidence(EvidenceSource.Stack, candidates.Length == 0
                        ? "a lock function is on the stack, but no readable critical section is found that it can wait for"
                        : $"a lock function is on the stack, and {candidates.Length} critical sections qualify")]),
            ],
            []);
    }

    /// <summary>
    /// How well the call is known. Locks of several kinds wait in functions of ntdll without a name, and where the caller is not seen, the program itself may
    /// wait for a record that only looks like a section.
    /// </summary>
    private static Grade OfCall(WindowsThread thread, bool isNamed) =>
        isNamed ? Grade.Proven : thread.Caller == WaitCaller.Ntdll ? Grade.Derived : Grade.Suspected;

    /// <summary>
    /// Windows 10 and later: the system call's first argument is the address of LockCount, since Windows 11 24H2 that of the section itself, or the handle in
    /// LockSemaphore. Both addresses are tried on every build, and exactly one must hold a section. Where a lock function is on the stack, the section may also
    /// be free: its owner has just left it, and the waiter is about to be woken.
    /// </summary>
    private static (CriticalSection Section, Evidence Evidence)? Exact(WindowsProcess process, WindowsThread thread, string systemCall, bool isNamed)
    {
        if (SystemCallArgument.First(process, thread) is not var (argument, place))
        {
            return null;
        }

        if (systemCall == "NtWaitForAlertByThreadId")
        {
            CriticalSection[] fitting =
            [
                .. process.Sections.Layout.AlertArguments.Select(offset => process.Sections.ReadCandidate(unchecked(argument - (ulong)offset)))
                    .OfType<CriticalSection>().Where(s => (s.IsLocked || isNamed) && Qualifies(s, thread)),
            ];
            return fitting is [{ } section] ? (section, AlertEvidence(process, thread, section, argument, place)) : null;
        }

        return process.LoaderLock is { } loader && process.Sections.ReadKnown(loader) is { IsLocked: true, HasSemaphoreHandle: true } known
            && known.LockSemaphore == argument && Qualifies(known, thread)
                ? (known, new Evidence(EvidenceSource.Register, $"{place} of NtWaitForSingleObject is its LockSemaphore", known.Address, argument))
                : null;
    }

    /// <summary>The loader lock, when the thread's TEB says that it waits for it and the lock does not contradict that.</summary>
    private static CriticalSection? MarkedLoaderLock(WindowsProcess process, WindowsThread thread) =>
        thread.Environment?.WaitsOnLoaderLock == true && process.LoaderLock is { } loader
            && process.Sections.ReadKnown(loader) is { IsLocked: true } section && Qualifies(section, thread) ? section : null;

    private static Evidence AlertEvidence(WindowsProcess process, WindowsThread thread, CriticalSection section, ulong argument, string place)
    {
        CriticalSectionLayout layout = process.Sections.Layout;
        string what = argument == section.Address ? "its address" : $"the address of its {layout.WaitWordName}";
        bool isListed = process.WaitedAddresses.TryGetValue(thread.Id, out ulong listed) && listed == section.Address + (ulong)layout.WaitWord;
        string also = isListed ? ", and the thread's wait block in PEB.WaitOnAddressHashTable names it too" : "";
        return new Evidence(EvidenceSource.Register, $"{place} of NtWaitForAlertByThreadId is {what}{also}", argument);
    }

    private static IEnumerable<CriticalSection> Candidates(WindowsProcess process, WindowsThread thread, HashSet<ulong> values)
    {
        HashSet<ulong> tried = [];
        foreach (ulong value in values)
        {
            foreach (int offset in Offsets(process.Sections.Layout))
            {
                ulong address = unchecked(value - (ulong)offset);
                if (tried.Add(address) && Read(process, address) is { } section && (section.IsLocked || section.IsHandedOver)
                    && Qualifies(section, thread))
                {
                    yield return section;
                }
            }
        }
    }

    /// <summary>
    /// True when the system call names another section, or another section's event, than this one: that one is not readable, or shown at the moment in which it
    /// changes hands, while the frames of the wait and of its caller keep this one for another reason.
    /// </summary>
    private static bool Contradicts(WindowsProcess process, WindowsThread thread, string systemCall, CriticalSection section) =>
        SystemCallArgument.First(process, thread) is var (argument, _) && systemCall switch
        {
            "NtWaitForAlertByThreadId" =>
                MayBeData(process, argument) && process.Sections.Layout.AlertArguments.All(offset => argument != section.Address + (ulong)offset),
            "NtWaitForSingleObject" => process.Handle(argument) is { TypeName: null or "Event" } && argument != section.LockSemaphore,
            _ => false,
        };

    /// <summary>
    /// True for an address that a lock may stand at. Where the system did not keep the argument, its register
    /// holds an address of ntdll's code, behind the system call, or a small number.
    /// </summary>
    private static bool MayBeData(WindowsProcess process, ulong address)
    {
        const ulong Lowest = 0x1_0000;
        const ulong Highest = 0x7FFF_FFFF_FFFF;
        return address is >= Lowest and <= Highest && address % sizeof(uint) == 0
            && !process.IsInNtdll(address);
    }

    private static CriticalSection? Read(WindowsProcess process, ulong address) =>
        address == process.LoaderLock ? process.Sections.ReadKnown(address) : process.Sections.ReadCandidate(address);

    /// <summary>A section that this thread can be waiting for: it does not own it, and at least one thread waits or is being woken.</summary>
    private static bool Qualifies(CriticalSection section, WindowsThread thread) =>
        section.OwnerThreadId != thread.Id && (section.WaiterCount >= 1 || section.IsHandedOver);

    private static CriticalSection? FromCallSite(WindowsProcess process, WindowsThread thread)
    {
        int caller = thread.NtdllRun.Length;
        return caller < thread.Walked.Count && CallSiteReader.Read(process.Dump, thread.Walked[caller]).First is { } argument
            ? Read(process, argument)
            : null;
    }

    private static WaitFindings Found(
        WindowsProcess process, WindowsThread thread, ThreadActivity activity, CriticalSection section, Grade found, Evidence how)
    {
        Grade trust = thread.TrustOf(Math.Max(1, thread.NtdllRun.Length));
        Grade grade = trust < found ? trust : found;
        WaitFact wait = new(
            thread.Id,
            process.ResourceOf(section),
            WaitTimeout.Infinite,
            grade,
            [how, new Evidence(EvidenceSource.Stack, $"innermost frames {string.Join(" < ", thread.NtdllRun.Select(f => f.Function ?? "?").Take(6))}"),
                .. thread.Cautions])
        {
            // Nobody else waits: this thread is the one that was woken, or will be.
            IsSatisfied = !section.IsLocked && section.WaiterCount <= 0,
        };
        OwnershipFact owner = process.OwnershipOf(section);

        // Without a sure wait the memory may be no section at all, unless the system itself records where it is.
        return new WaitFindings(activity, [wait], !section.IsLocked ? []
            : [grade == Grade.Suspected && section.Address != process.LoaderLock ? owner with { Grade = grade } : owner]);
    }
}
