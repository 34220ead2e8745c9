using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Windows.Layouts;
using Dump.Readers.Windows.Locks;

namespace Dump.Readers.Windows.Waits;

/// <summary>
/// Finds what a thread waits for by address: SRW locks, condition variables, one-time initialisations, WaitOnAddress, keyed events. Each is a word in memory
/// that stores no owner. The address is that of the system call where registers can be believed, or what the caller's code handed to the wait function, and is
/// accepted only when the word there can be that of such a wait.
/// </summary>
internal static class AddressWaits
{
    // Windows' wait functions are built on each other, but not deeper; more would be a stack made to keep the reader busy.
    private const int MostInnerCalls = 8;

    /// <summary>Finds the address that a thread waits for, and what kind of lock lies there.</summary>
    /// <param name="process">The process.</param>
    /// <param name="thread">The waiting thread.</param>
    /// <param name="systemCall">The system call it is in.</param>
    /// <param name="kind">What the lock functions on its stack say; unknown when there are none.</param>
    public static WaitFindings Find(WindowsProcess process, WindowsThread thread, string systemCall, ResourceKind kind)
    {
        WaitArguments[] calls = [.. Calls(process, thread)];
        ResourceKind actual = kind != ResourceKind.Unknown ? kind : KindOf(process, thread, systemCall);
        WaitArguments given = (calls.FirstOrDefault() ?? WaitArguments.Unknown).OrLimitOfCall(process, thread);
        (WaitTimeout timeout, long? milliseconds) = (actual, given.Timeout) switch
        {
            (ResourceKind.SlimReaderWriterLock or ResourceKind.OneTimeInitialization or ResourceKind.PoolCallbacks, _) => (WaitTimeout.Infinite, null),

            // Locks of ntdll wait in steps (CriticalSectionTimeout) and then again: only a limit that the program gave ends a wait of unknown kind.
            (ResourceKind.Unknown, WaitTimeout.Finite) when calls.Length == 0 && thread.NtdllRun.Length > 1 => (WaitTimeout.Unknown, null),
            _ => (given.Timeout, given.Milliseconds),
        };
        Evidence frames = new(
            EvidenceSource.Stack,
            $"innermost frames {string.Join(" < ", thread.NtdllRun.Select(f => f.Function ?? "?").Take(4))}; this primitive stores no owner");
        (ulong Address, Grade Grade, Evidence How)? found = Identify(process, thread, systemCall, actual, calls);
        Grade trust = thread.TrustOf(Math.Max(1, thread.NtdllRun.Length));
        trust = kind == ResourceKind.Unknown && trust > Grade.Derived ? Grade.Derived : trust;
        WaitFact wait = found is { } known
            ? new(thread.Id, new Resource(actual, known.Address), timeout, trust < known.Grade ? trust : known.Grade, [known.How, frames, .. thread.Cautions],
                milliseconds)
            : new(thread.Id, new Resource(actual, 0, thread.Id), timeout, trust < Grade.Derived ? trust : Grade.Derived, [frames], milliseconds);
        return new WaitFindings(
            new ThreadActivity(ThreadActivityKind.Waiting, systemCall, [new Evidence(EvidenceSource.Stack, $"innermost frame ntdll!{systemCall}")]),
            [wait], []);
    }

    /// <summary>What the wait functions on the stack were given, the program's own call first.</summary>
    private static IEnumerable<WaitArguments> Calls(WindowsProcess process, WindowsThread thread)
    {
        int program = HandleWaits.CallerIndex(thread);
        foreach (int caller in Enumerable.Range(1, Math.Min(program, MostInnerCalls)).Append(program).Distinct().Reverse())
        {
            WaitArguments arguments = WaitArguments.Read(process, thread, caller);
            if (arguments != WaitArguments.Unknown)
            {
                yield return arguments;
            }
        }
    }

    /// <summary>
    /// Without a named lock function: an SRW lock where a function of ntdll waits and the system call's argument is one whose wait block lies on this very
    /// thread's stack, else unknown. A thread that waits for a condition variable passes its lock too, but has its block elsewhere. A program's own queue of
    /// waiters may look alike.
    /// </summary>
    private static ResourceKind KindOf(WindowsProcess process, WindowsThread thread, string systemCall) =>
        systemCall == "NtWaitForKeyedEvent" ? ResourceKind.KeyedEvent
        : thread.Caller == WaitCaller.Ntdll && ByRegister(process, thread, systemCall) is { Value: var address } && !process.System.IsWine
            && SlimReaderWriterLock.Read(process.Dump, process.Abi, address)?.WaitBlock is { } block
            && process.WaitingStacks.Find(block)?.Id == thread.Id
            ? ResourceKind.SlimReaderWriterLock
            : ResourceKind.Unknown;

    private static (ulong Address, Grade Grade, Evidence How)? Identify(
        WindowsProcess process, WindowsThread thread, string systemCall, ResourceKind kind, WaitArguments[] calls)
    {
        // Without a kind nothing could contradict an address. SleepConditionVariableSRW hands the lock to the system call, not the condition variable; other
        // kinds have their own address there.
        if (kind is ResourceKind.SlimReaderWriterLock or ResourceKind.Address && ByRegister(process, thread, systemCall) is { } argument
            && IsWaitedOn(process, thread, kind, argument.Value) is { } certain)
        {
            return (argument.Value, certain, new Evidence(EvidenceSource.Register, $"{argument.Place} of {systemCall} is its address", argument.Value));
        }

        if (kind == ResourceKind.Address && process.WaitedAddresses.TryGetValue(thread.Id, out ulong listed))
        {
            return (listed, Grade.Derived, new Evidence(EvidenceSource.Memory, "the thread's wait block in PEB.WaitOnAddressHashTable names it", listed));
        }

        // Callbacks of the pool are waited for by a condition variable, whose call would name that: only the outermost call is the pool's.
        foreach (WaitArguments call in kind == ResourceKind.Unknown ? [] : kind == ResourceKind.PoolCallbacks ? calls.Take(1) : calls)
        {
            if (call.Address is { } given && IsWaitedOn(process, thread, kind, given) is { } grade)
            {
                return (given, grade, new Evidence(EvidenceSource.Code, "argument of the wait in the caller's code", given));
            }
        }

        if (kind != ResourceKind.SlimReaderWriterLock || process.System.IsWine)
        {
            return null;
        }

        ulong[] kept =
        [
            .. StackValues.Read(process.Dump, thread, thread.NtdllRun.Length + 1)
                .Where(v => IsWaitedOn(process, thread, kind, v) == Grade.Proven),
        ];
        return kept is [var only]
            ? (only, Grade.Derived, new Evidence(EvidenceSource.Register, "the only SRW lock with waiters that the waiting frames point to", only))
            : null;
    }

    private static SystemCallArgument? ByRegister(WindowsProcess process, WindowsThread thread, string systemCall) =>
        systemCall == "NtWaitForAlertByThreadId" ? SystemCallArgument.First(process, thread) : null;

    /// <summary>
    /// How well the word at an address agrees with a wait of the kind: proven for an SRW lock whose wait block lies on the stack of a thread that waits like
    /// this one, derived where nothing speaks against it, null where something does. A lock that was just released is free while its waiter is woken.
    /// </summary>
    private static Grade? IsWaitedOn(WindowsProcess process, WindowsThread thread, ResourceKind kind, ulong address)
    {
        switch (kind)
        {
            case ResourceKind.SlimReaderWriterLock:
                return SlimReaderWriterLock.Read(process.Dump, process.Abi, address) switch
                {
                    null => null,
                    { WaitBlock: { } block } => process.WaitingStacks.Find(block) is null ? null : Grade.Proven,
                    _ when process.System.IsWine => Grade.Derived,
                    { Word: 0 } => thread.NtdllRun.Any(f => f.Function is not null && LockFunctions.KindOf([f]) == kind) ? Grade.Derived : null,
                    _ => null,
                };
            case ResourceKind.OneTimeInitialization:
                return address % (ulong)process.PointerSize == 0 && process.Dump.ReadPointer(address, process.PointerSize) is { } state
                    && (state & RunOnceLayout.StateMask) == RunOnceLayout.InProgress ? Grade.Derived : null;
            case ResourceKind.ConditionVariable:
                return address % (ulong)process.PointerSize == 0 && process.Dump.ReadPointer(address, process.PointerSize) is not null ? Grade.Derived : null;
            default:
                return address != 0 && process.Dump.ReadByte(address) is not null ? Grade.Derived : null;
        }
    }
}
