using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Waits;

namespace Dump.Analysis.Detection;

/// <summary>States which data a question needs that the snapshot does not have.</summary>
internal static class NecessaryData
{
    private const string LinuxFullDump = "dotnet-dump collect -p PID --type Full, or createdump --full PID";
    private const string FullDump = "procdump -ma PID (or any writer with MiniDumpWithFullMemory, MiniDumpWithHandleData and MiniDumpWithThreadInfo)";

    private const string NativeStacks = "gdb -p PID -batch -ex 'thread apply all bt'";

    // Locks that store no owner: what is missing and why, what could pass through one, and where its owner stands.
    private static readonly (ResourceKind Kind, string What, string Why, string Cycle, string Where)[] s_withoutOwner =
    [
        (ResourceKind.SlimReaderWriterLock, "the owner of SRW locks", "Windows stores none", "an SRW lock", "the code which these locks guard"),
        (ResourceKind.OneTimeInitialization, "the thread that runs a one-time initialisation", "INIT_ONCE stores none", "it", "the initialiser"),
        (ResourceKind.PosixMutex, "the owner of winpthreads mutexes (std::mutex of libstdc++)", "a plain one stores none", "such a mutex",
            "the code which these mutexes guard"),
    ];

    /// <summary>How to capture a full dump on the system that the snapshot comes from.</summary>
    public static string FullDumpAdvice(ProcessSnapshot snapshot) => snapshot.System.Family == OperatingSystemFamily.Linux ? LinuxFullDump : FullDump;

    /// <summary>Stacks, for any question.</summary>
    public static IEnumerable<MissingData> Stacks(ProcessSnapshot snapshot)
    {
        if (!snapshot.Available.Stacks)
        {
            yield return snapshot.Available.NeverStopped ? MissingData.NeverStopped
                : new("thread stacks that can be walked", "what the threads do and wait for is unknown", StackAdvice(snapshot));
        }

        foreach (MissingData missing in Activities(snapshot))
        {
            yield return missing;
        }
    }

    /// <summary>What each thread does, for any question.</summary>
    public static IEnumerable<MissingData> Activities(ProcessSnapshot snapshot)
    {
        int unknown = snapshot.Threads.Count(t => !t.HasExited && t.Activity.MayBeWait);
        if (unknown > 0)
        {
            string threads = CountText.Of(unknown, "thread");
            yield return new(
                IsWatchedOnly(snapshot) ? $"the system call of {threads} (/proc/PID/task/TID/syscall, for those alone who may trace the process)"
                    : snapshot.System.Family == OperatingSystemFamily.Linux ? $"the innermost function of {threads} (registers or code)"
                    : $"the innermost function of {threads} (code or export table of ntdll)",
                unknown == 1 ? "whether it waits, and for what, is unknown" : "whether these threads wait, and for what, is unknown",
                IsWatchedOnly(snapshot) ? "run dumpanalyze as root, or in its container with the capability SYS_PTRACE" : StackAdvice(snapshot));
        }
    }

    /// <summary>Lock memory, for questions about critical sections.</summary>
    public static IEnumerable<MissingData> Locks(ProcessSnapshot snapshot)
    {
        if (!snapshot.Available.LockMemory)
        {
            yield return new("the memory of locks that threads wait for",
                "their owners are unknown, so a lock cycle can be neither shown nor excluded", MemoryAdvice(snapshot));
        }
    }

    /// <summary>Waits for locks whose owner is stored nowhere, or which could not be identified: a cycle through them would go unseen.</summary>
    public static IEnumerable<MissingData> UnknownOwners(ProcessSnapshot snapshot)
    {
        HashSet<Resource> held = [.. snapshot.Ownerships.Where(o => o.Grade > Grade.Suspected).Select(o => o.Resource)];
        foreach ((ResourceKind kind, string what, string why, string cycle, string where) in s_withoutOwner)
        {
            // Only a mutex of winpthreads tells its waits with a limit from those without.
            int waiting = Waiting(snapshot, w => w.Resource.Kind == kind && !held.Contains(w.Resource)
                && (kind != ResourceKind.PosixMutex || w.Timeout != WaitTimeout.Finite));
            if (waiting > 0)
            {
                yield return new(
                    $"{what}, for {CountText.Of(waiting, "waiting thread")} ({why})",
                    $"a cycle through {cycle} can be neither shown nor excluded",
                    $"no dump has it; look with dumpanalyze threads FILE for a thread that is inside {where}");
            }
        }

        HashSet<Resource> owned = [.. snapshot.Ownerships.Select(o => o.Resource)];
        // Locks of .NET, that is: for those of native libraries, which have no such option, whoever found the wait states what is missing.
        int untracked = Waiting(snapshot, w => w.Resource.Kind == ResourceKind.SpinLock && w.Timeout != WaitTimeout.Finite && !owned.Contains(w.Resource)
            && w.Evidence.Any(e => e.Source == EvidenceSource.Runtime));
        if (untracked > 0)
        {
            yield return new(
                $"the owner of a SpinLock that {CountText.Of(untracked, "thread")} {(untracked == 1 ? "spins" : "spin")} for (the lock stores it only when it "
                    + "is made with enableThreadOwnerTracking)",
                "a cycle through it can be neither shown nor excluded",
                "no dump has it; make the lock with new SpinLock(enableThreadOwnerTracking: true), or look with dumpanalyze threads FILE for a thread that is "
                    + "inside the code which it guards");
        }

        // Which handles there are is asked for in Handles; an address is stored in no handle stream.
        int unidentified = Waiting(snapshot, w => w.Timeout != WaitTimeout.Finite
            && (w.Resource is { Kind: ResourceKind.Unknown, Identity: 0 }
                || (snapshot.Available.HandleOwners && (w.Resource is { Kind: ResourceKind.KernelObject, Identity: 0 } || IsGuessedHandle(w)))));
        if (unidentified > 0)
        {
            yield return new(
                $"the handle or address that {CountText.Of(unidentified, "waiting thread")} gave to the system (not readable from the stack)",
                "a cycle through it can be neither shown nor excluded",
                snapshot.System is { Family: OperatingSystemFamily.Windows, MajorVersion: < 10 }
                    ? "a dump on Windows 10 or later, where the system call's arguments are kept in registers"
                    : "no dump is sure to have it; look with dumpanalyze threads FILE at what the callers of these waits wait for");
        }
    }

    /// <summary>A wait for an object whose handle is only guessed: the real one may be another, with an owner.</summary>
    private static bool IsGuessedHandle(WaitFact wait) => wait is { Grade: Grade.Suspected, IsSatisfied: false, Resource.Facts.IsDispatcherObject: true };

    /// <summary>Loader lock and load ownership.</summary>
    public static IEnumerable<MissingData> Loader(ProcessSnapshot snapshot)
    {
        if (snapshot.System.Family != OperatingSystemFamily.Windows)
        {
            yield break;
        }

        if (!snapshot.Available.LoaderLock)
        {
            yield return new("the loader lock's memory (PEB and ntdll data)", "whether a thread holds the loader lock is unknown", MemoryAdvice(snapshot));
        }

        if (snapshot.System.HasLoadOwnership && !snapshot.Available.ThreadEnvironmentBlocks)
        {
            yield return new("thread environment blocks (TEB memory)", "which thread is the load owner is unknown", MemoryAdvice(snapshot));
        }
    }

    /// <summary>Owners of kernel objects, where a thread waits for one.</summary>
    public static IEnumerable<MissingData> Handles(ProcessSnapshot snapshot)
    {
        // A wait with a time limit ends by itself, whoever holds the object; one for an object that is signalled ends at once.
        bool OwnerIsUnknown(WaitFact wait) =>
            wait is { Timeout: not WaitTimeout.Finite, IsSatisfied: false } && !snapshot.Ownerships.Any(o => o.Resource == wait.Resource);
        if (snapshot.Waits.Any(w => w.Resource.Kind == ResourceKind.KernelObject && OwnerIsUnknown(w))
            && (!snapshot.Available.Handles || !snapshot.Available.HandleOwners))
        {
            yield return new("handle data (HandleData stream with object information)",
                "the owners of mutexes and the ids behind thread handles are unknown", FullDump);
        }

        if (snapshot.Waits.Any(w => w.Resource.Kind == ResourceKind.Mutex && OwnerIsUnknown(w)) && snapshot.System.Family == OperatingSystemFamily.Linux)
        {
            yield return new(
                "the owner of a Mutex that a thread waits for (.NET on Linux keeps it in native memory that is not read)",
                "a cycle through that mutex can be neither shown nor excluded",
                "no dump has it in a form that is read; look in the stacks of dotnet-dump collect -p PID --type Full, or createdump --full PID, for the thread "
                    + "that is inside the code which the mutex guards");
        }
        else if (snapshot.Waits.Any(w => w.Resource.Kind == ResourceKind.Mutex && OwnerIsUnknown(w)))
        {
            yield return new(
                "the owner of a mutex that a thread waits for (MutantOwner information of the HandleData stream)",
                "a cycle through that mutex can be neither shown nor excluded",
                FullDump + ", on Windows: Wine does not record mutex owners");
        }
    }

    /// <summary>
    /// Mutexes that are held outside of the threads of this snapshot, while a thread of it waits for them
    /// without a time limit: why they are not released is not in this dump.
    /// </summary>
    public static IEnumerable<MissingData> OwnersElsewhere(ProcessSnapshot snapshot)
    {
        HashSet<uint> threads = [.. snapshot.Threads.Select(t => t.Id)];
        foreach (OwnershipFact owner in snapshot.Ownerships
            .Where(o => o.Resource.Kind == ResourceKind.Mutex && o.OwnerIsAlive is null
                && (o.OwnerDescription is not null || !threads.Contains(o.OwnerThreadId)))
            .DistinctBy(o => (o.OwnerThreadId, o.OwnerDescription)))
        {
            int waiting = Waiting(snapshot, w => w is { Timeout: not WaitTimeout.Finite, IsWaitAny: false, IsSatisfied: false }
                && w.Resource == owner.Resource);
            if (waiting > 0)
            {
                string waiters = $"{CountText.Of(waiting, "thread")} {(waiting == 1 ? "waits" : "wait")}";
                yield return owner.OwnerDescription is { } other
                    ? new(
                        $"the process that holds a mutex for which {waiters} ({other})",
                        "why it does not release the mutex is unknown; a cycle through both processes can be neither shown nor excluded",
                        "procdump -ma of that process as well, while both hang")
                    : new(
                        $"the thread that holds a mutex for which {waiters} (thread 0x{owner.OwnerThreadId:x}, which the thread list does not have)",
                        "why it does not release the mutex is unknown",
                        "a second dump: " + FullDump);
            }
        }
    }

    /// <summary>Processor times.</summary>
    public static IEnumerable<MissingData> Times(ProcessSnapshot snapshot)
    {
        // A thread that waits in the kernel burns nothing at this moment, so without threads that execute code nothing is left to ask.
        bool someRun = snapshot.Threads.Any(t => t.Activity.Kind is ThreadActivityKind.Running or ThreadActivityKind.Yielding or ThreadActivityKind.Unknown);
        if (!snapshot.Available.ThreadTimes && snapshot.System.Family == OperatingSystemFamily.Linux)
        {
            if (someRun)
            {
                yield return new(
                    "thread CPU times (createdump and gcore do not write them)",
                    "how long the threads that execute code have been doing so is unknown",
                    "a core written by the kernel, or two dumps some seconds apart");
            }
        }
        else if (!snapshot.Available.ThreadTimes)
        {
            yield return new("thread CPU times (ThreadInfoList stream)", "which threads have burnt CPU time is unknown",
                "procdump -ma PID (MiniDumpWithThreadInfo), or two dumps some seconds apart: procdump -ma -n 2 -s 10 PID");
        }
    }

    /// <summary>
    /// True where the saved registers tell a thread that executes its own code from one in a system call:
    /// Linux cores do, whoever wrote them, but none records a thread's age.
    /// </summary>
    public static bool RegistersShowCalls(ProcessSnapshot snapshot) => snapshot.System.Family == OperatingSystemFamily.Linux;

    /// <summary>No dump helps where stacks of the architecture are not walked.</summary>
    private static string StackAdvice(ProcessSnapshot snapshot) => IsWatchedOnly(snapshot) ? NativeStacks
        : snapshot.System.Family == OperatingSystemFamily.Linux ? LinuxFullDump
        : snapshot.System.Architecture is ProcessorArchitecture.X64 or ProcessorArchitecture.X86 or ProcessorArchitecture.Arm64
        ? MemoryAdvice(snapshot) + "; or give the images with --images DIR"
        : "a dump of the 64-bit x64 build of the program, where there is one";

    /// <summary>True of a living process without .NET, which is not stopped: of its threads there is only what the system tells.</summary>
    private static bool IsWatchedOnly(ProcessSnapshot snapshot) =>
        snapshot is { Source.FileSize: null, System.Family: OperatingSystemFamily.Linux, Available.Stacks: false };

    /// <summary>How to get memory that is missing. What a dump of all memory lacks could not be read when it was written.</summary>
    private static string MemoryAdvice(ProcessSnapshot snapshot) =>
        snapshot.Available.AllMemory ? "another dump: this one was written with all memory, and these pages were not readable then" : FullDump;

    private static int Waiting(ProcessSnapshot snapshot, Func<WaitFact, bool> what) =>
        snapshot.Waits.Where(what).Select(w => w.ThreadId).Distinct().Count();
}
