using System.Collections.Frozen;
using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Instructions;
using Dump.Readers.Minidump;
using Iced.Intel;

namespace Dump.Readers.Windows.Waits;

/// <summary>
/// Windows 10 and later: finds threads that wait to become load owner (LdrpDrainWorkQueue waiting for LdrpLoadCompleteEvent). Without symbols the function has
/// no name, so the rule is: the thread stands in NtWaitForSingleObject; every frame from there to the first exported loader function lies in ntdll, and at
/// least one of them has no name or is the drain itself; no lock function is among them, and the TEB does not say that the thread waits for the loader lock;
/// the thread is not load owner; and the handle, where the dump lists handles, is an auto-reset event that is not signalled.
/// </summary>
internal static class LoadOwnershipWaits
{
    private static readonly Resource s_ownership = new(ResourceKind.LoadOwnership, 0);

    /// <summary>The wait, or null when the rule does not hold.</summary>
    public static WaitFindings? Find(WindowsProcess process, WindowsThread thread, string systemCall)
    {
        if (!process.System.HasLoadOwnership || systemCall != "NtWaitForSingleObject" || thread.Environment?.WaitsOnLoaderLock == true
            || EntryIndex(thread) is not { } entry)
        {
            return null;
        }

        ThreadActivity activity = new(ThreadActivityKind.Waiting, systemCall, [new Evidence(EvidenceSource.Stack, $"innermost frame ntdll!{systemCall}")]);
        if (thread.Environment?.IsLoadOwner == true)
        {
            // A load owner in the same place waits for the loader's workers to finish their part.
            return new WaitFindings(
                activity,
                [new WaitFact(thread.Id, new Resource(ResourceKind.LoaderWorkers, 0), WaitTimeout.Infinite, Grade.Derived,
                    [new Evidence(EvidenceSource.Rule, "a load owner waiting inside the loader waits for loader workers")])],
                []);
        }

        if (HandleContradicts(process, thread))
        {
            return null;
        }

        return new WaitFindings(activity, [Wait(process, thread, entry)], Owner(process, thread));
    }

    /// <summary>
    /// Index of the exported loader function that the wait is under, or of the drain itself, which only symbols name, where no known one leads to it; else
    /// null.
    /// </summary>
    private static int? EntryIndex(WindowsThread thread)
    {
        ImmutableArray<StackFrame> run = thread.NtdllRun;
        if (LockFunctions.KindOf(run) is not null)
        {
            return null;
        }

        List<StackFrame> frames = [.. run];
        int entry = frames.FindIndex(1, Math.Max(0, run.Length - 1), LoaderWaitFunctions.IsEntry);
        int drain = frames.FindIndex(1, Math.Max(0, run.Length - 1), LoaderWaitFunctions.IsDrain);
        return entry >= 2 && run[1..entry].Any(f => f.Function is null || LoaderWaitFunctions.IsDrain(f)) ? entry

            // Its symbol says all, whatever function the loader was entered through.
            : drain == 1 ? drain
            : null;
    }

    private static bool HandleContradicts(WindowsProcess process, WindowsThread thread)
    {
        if (process.Dump.Handles is null || SystemCallArgument.First(process, thread) is not var (value, _))
        {
            return false;
        }

        MinidumpHandle? handle = process.Handle(value);
        return handle is null
            || handle.TypeName is not (null or "Event")
            || handle.EventIsManualReset == true
            || handle.EventIsSignaled == true
            || (process.LoaderLock is { } loader && process.Sections.ReadKnown(loader)?.LockSemaphore == value);
    }

    private static WaitFact Wait(WindowsProcess process, WindowsThread thread, int entry)
    {
        StackFrame function = thread.Frames[entry];
        List<Evidence> evidence =
        [
            new(EvidenceSource.Stack, $"NtWaitForSingleObject directly inside the loader, under ntdll!{function.Function}, no lock function between"),
        ];
        if (thread.Environment?.IsLoadOwner == false)
        {
            evidence.Add(new(EvidenceSource.Memory, "the thread is not load owner (SameTebFlags)",
                thread.Environment.Address + (ulong?)thread.Environment.Layout.SameTebFlags));
        }

        ulong? handle = SystemCallArgument.First(process, thread)?.Value;
        bool named = thread.Frames.Take(entry + 1).Any(LoaderWaitFunctions.IsDrain);
        bool sameEvent = process.Symbols.AddressOf("ntdll", "LdrpLoadCompleteEvent") is { } variable
            && process.Dump.ReadPointer(variable, process.PointerSize) is { } loadComplete && loadComplete == handle;
        if (named)
        {
            evidence.Add(new(EvidenceSource.Stack, "ntdll!LdrpDrainWorkQueue is on the stack"));
        }

        if (sameEvent)
        {
            evidence.Add(new(EvidenceSource.Memory, "the handle equals ntdll!LdrpLoadCompleteEvent", null, handle));
        }

        ulong? word = handle is { } waited ? LoadedWord(process, thread, waited) : null;
        if (word is not null)
        {
            evidence.Add(new(EvidenceSource.Code, "the call waits for one of the loader's events: its code loads the handle from this word of ntdll", word, handle));
        }

        Grade grade = (named && sameEvent) || word is not null ? Grade.Proven : thread.Environment is null ? Grade.Suspected : Grade.Derived;
        Grade trust = thread.TrustOf(entry + 1);
        return new WaitFact(thread.Id, s_ownership, WaitTimeout.Infinite, trust < grade ? trust : grade, [.. evidence, .. thread.Cautions]);
    }

    /// <summary>
    /// The word of ntdll's data from which the function that makes the call has loaded the handle that it hands over; null where it loads none, or another one. The loader
    /// has two events for its work queue: the drain takes one of them by <c>mov</c> and <c>cmov</c> into a register, which it hands over (code of ntdlls of 16299 to 26100).
    /// </summary>
    private static ulong? LoadedWord(WindowsProcess process, WindowsThread thread, ulong handle)
    {
        if (thread.Walked.Count < 2 || thread.Frames[1].Trust <= FrameTrust.Scan || CallSiteReader.UpToCall(process.Dump, thread.Walked[1]) is not { } code)
        {
            return null;
        }

        Instruction given = code.LastOrDefault(i => i.Op0Kind == OpKind.Register && i.Op0Register is Register.RCX or Register.ECX);
        Register register = given is { Mnemonic: Mnemonic.Mov, Op1Kind: OpKind.Register } ? given.Op1Register : Register.RCX;
        return code.Where(i => i is { IsIPRelativeMemoryOperand: true, Op0Kind: OpKind.Register, Op1Kind: OpKind.Memory } && i.Op0Register == register
                && i.Mnemonic is Mnemonic.Mov or Mnemonic.Cmove or Mnemonic.Cmovne)
            .Select(i => (ulong?)i.IPRelativeMemoryAddress)
            .FirstOrDefault(a => process.Dump.ReadPointer(a!.Value, process.PointerSize) == handle && process.IsInNtdll(a.Value));
    }

    /// <summary>The owner, where exactly one thread has the flag. With two, or none, nobody is named.</summary>
    private static IReadOnlyList<OwnershipFact> Owner(WindowsProcess process, WindowsThread waiter)
    {
        WindowsThread[] owners = [.. process.Threads.Where(t => t.Environment?.IsLoadOwner == true)];
        if (owners is [{ } owner] && owner.Id != waiter.Id)
        {
            return
            [
                new OwnershipFact(s_ownership, owner.Id, true, null, Grade.Proven,
                [
                    new Evidence(
                        EvidenceSource.Memory,
                        "TEB.SameTebFlags.LoadOwner is set, and in no other readable TEB",
                        owner.Environment!.Address + (ulong?)owner.Environment.Layout.SameTebFlags,
                        owner.Environment.SameTebFlags),
                ]),
            ];
        }

        if (owners.Length == 0 && process.Threads.Any(t => t.Environment?.IsLoadOwner is null)
            && process.LoaderLock is { } address && process.Sections.ReadKnown(address) is { IsLocked: true } section
            && process.IsThread(section.OwnerThreadId))
        {
            // Without the flags, the holder of the loader lock is the best candidate: the loader takes the lock only while it is load owner.
            return
            [
                new OwnershipFact(s_ownership, section.OwnerThreadId, true, null, Grade.Derived,
                    [new Evidence(
                        EvidenceSource.Rule,
                        "no TEB is readable that has the LoadOwner flag; the holder of the loader lock is taken for the load owner", address)]),
            ];
        }

        return [];
    }
}

/// <summary>Functions of ntdll that take part in waits of the loader.</summary>
internal static class LoaderWaitFunctions
{
    // Exported functions that enter LdrpDrainWorkQueue; they can be named without symbols. Source: published lists of its callers on 19045 and 26200
    // (ElliotKillick/windows-vs-linux-loader-architecture), the last four of them through internal functions such as LdrpGetDelayloadExportDll.
    private static readonly FrozenSet<string> s_entries = FrozenSet.Create(
        "LdrLoadDll",
        "LdrUnloadDll",
        "LdrShutdownThread",
        "LdrInitializeThunk",
        "LdrGetProcedureAddress",
        "LdrGetProcedureAddressEx",
        "LdrGetProcedureAddressForCaller",
        "LdrGetDllHandle",
        "LdrGetDllHandleEx",
        "LdrEnumerateLoadedModules",
        "RtlExitUserProcess",
        "RtlPrepareForProcessCloning",
        "LdrResolveDelayLoadedAPI",
        "RtlQueryInformationActivationContext",
        "LdrInitShimEngineDynamic",
        "RtlCloneUserProcess");

    /// <summary>True when the frame is an exported function through which the loader is entered.</summary>
    public static bool IsEntry(StackFrame frame) => frame is { ModuleStem: "ntdll", Function: { } name } && s_entries.Contains(name);

    /// <summary>True when the frame is the loader's drain of its work queue, which only symbols can name.</summary>
    public static bool IsDrain(StackFrame frame) => frame.Is("ntdll", "LdrpDrainWorkQueue");
}
