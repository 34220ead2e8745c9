using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Detection;

/// <summary>States which data a question needs that the snapshot does not have.</summary>
internal static class NecessaryData
{
    // Locks that store no owner.
    private static readonly (ResourceKind Kind, MissingKind Owners)[] s_withoutOwner =
    [
        (ResourceKind.SlimReaderWriterLock, MissingKind.SlimLockOwners),
        (ResourceKind.OneTimeInitialization, MissingKind.Initialisers),
        (ResourceKind.PosixMutex, MissingKind.PosixMutexOwners),
    ];

    /// <summary>Stacks, for any question.</summary>
    public static IEnumerable<MissingData> Stacks(ProcessSnapshot snapshot)
    {
        if (!snapshot.Available.Stacks)
        {
            yield return snapshot.Available.NeverStopped ? MissingData.Of(MissingKind.StoppedMoment)
                : MissingData.Of(MissingKind.ThreadStacks, capture: StackCapture(snapshot));
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
            yield return IsWatchedOnly(snapshot) ? MissingData.Of(MissingKind.SystemCalls, unknown)
                : MissingData.Of(MissingKind.InnermostFunctions, unknown,
                    detail: snapshot.System.Family == OperatingSystemFamily.Linux ? "registers or code" : "code or export table of ntdll",
                    capture: StackCapture(snapshot));
        }
    }

    /// <summary>Lock memory, for questions about critical sections.</summary>
    public static IEnumerable<MissingData> Locks(ProcessSnapshot snapshot)
    {
        if (!snapshot.Available.LockMemory)
        {
            yield return MissingData.Of(MissingKind.LockMemory, capture: MemoryCapture(snapshot));
        }
    }

    /// <summary>Waits for locks whose owner is stored nowhere, or which could not be identified: a cycle through them would go unseen.</summary>
    public static IEnumerable<MissingData> UnknownOwners(ProcessSnapshot snapshot)
    {
        HashSet<Resource> held = [.. snapshot.Ownerships.Where(o => o.Grade > Grade.Suspected).Select(o => o.Resource)];
        foreach ((ResourceKind kind, MissingKind owners) in s_withoutOwner)
        {
            // Only a mutex of winpthreads tells its waits with a limit from those without.
            int waiting = Waiting(snapshot, w => w.Resource.Kind == kind && !held.Contains(w.Resource)
                && (kind != ResourceKind.PosixMutex || w.Timeout != WaitTimeout.Finite));
            if (waiting > 0)
            {
                yield return MissingData.Of(owners, waiting);
            }
        }

        HashSet<Resource> owned = [.. snapshot.Ownerships.Select(o => o.Resource)];
        // Locks of .NET, that is: for those of native libraries, which have no such option, whoever found the wait states what is missing.
        int untracked = Waiting(snapshot, w => w.Resource.Kind == ResourceKind.SpinLock && w.Timeout != WaitTimeout.Finite && !owned.Contains(w.Resource)
            && w.Evidence.Any(e => e.Source == EvidenceSource.Runtime));
        if (untracked > 0)
        {
            yield return MissingData.Of(MissingKind.SpinLockOwners, untracked);
        }

        // Which handles there are is asked for in Handles; an address is stored in no handle stream.
        int unidentified = Waiting(snapshot, w => w.Timeout != WaitTimeout.Finite
            && (w.Resource is { Kind: ResourceKind.Unknown, Identity: 0 }
                || (snapshot.Available.HandleOwners && (w.Resource is { Kind: ResourceKind.KernelObject, Identity: 0 } || IsGuessedHandle(w)))));
        if (unidentified > 0)
        {
            yield return MissingData.Of(MissingKind.WaitArguments, unidentified,
                capture: snapshot.System is { Family: OperatingSystemFamily.Windows, MajorVersion: < 10 } ? CaptureKind.NewerWindows : null);
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
            yield return MissingData.Of(MissingKind.LoaderLock, capture: MemoryCapture(snapshot));
        }

        if (snapshot.System.HasLoadOwnership && !snapshot.Available.ThreadEnvironmentBlocks)
        {
            yield return MissingData.Of(MissingKind.ThreadBlocks, capture: MemoryCapture(snapshot));
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
            yield return MissingData.Of(MissingKind.HandleData);
        }

        if (snapshot.Waits.Any(w => w.Resource.Kind == ResourceKind.Mutex && OwnerIsUnknown(w)) && snapshot.System.Family == OperatingSystemFamily.Linux)
        {
            yield return MissingData.Of(MissingKind.MutexOwners,
                detail: "Mutex that a thread waits for (.NET on Linux keeps it in native memory that is not read)", capture: CaptureKind.ThreadsInManagedMutexCode);
        }
        else if (snapshot.Waits.Any(w => w.Resource.Kind == ResourceKind.Mutex && OwnerIsUnknown(w)))
        {
            yield return MissingData.Of(MissingKind.MutexOwners, detail: "mutex that a thread waits for (MutantOwner information of the HandleData stream)");
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
                yield return owner.OwnerDescription is { } other
                    ? MissingData.Of(MissingKind.MutexHolderProcess, waiting, detail: other)
                    : MissingData.Of(MissingKind.MutexHolderThread, waiting, detail: $"thread {ThreadNames.Id(owner.OwnerThreadId, snapshot.System.Family)}");
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
                yield return MissingData.Of(MissingKind.ThreadTimes, detail: "createdump and gcore do not write them");
            }
        }
        else if (!snapshot.Available.ThreadTimes)
        {
            yield return MissingData.Of(MissingKind.ThreadTimes, detail: "ThreadInfoList stream");
        }
    }

    /// <summary>
    /// True where the saved registers tell a thread that executes its own code from one in a system call:
    /// Linux cores do, whoever wrote them, but none records a thread's age.
    /// </summary>
    public static bool RegistersShowCalls(ProcessSnapshot snapshot) => snapshot.System.Family == OperatingSystemFamily.Linux;

    /// <summary>No dump helps where stacks of the architecture are not walked.</summary>
    private static CaptureKind StackCapture(ProcessSnapshot snapshot) => IsWatchedOnly(snapshot) ? CaptureKind.NativeStacks
        : snapshot.System.Family == OperatingSystemFamily.Linux ? CaptureKind.FullDump
        : snapshot.System.Architecture is not (ProcessorArchitecture.X64 or ProcessorArchitecture.X86 or ProcessorArchitecture.Arm64) ? CaptureKind.OtherBuild
        : snapshot.Available.AllMemory ? CaptureKind.AnotherDumpOrImages : CaptureKind.FullDumpOrImages;

    /// <summary>True of a living process without .NET, which is not stopped: of its threads there is only what the system tells.</summary>
    private static bool IsWatchedOnly(ProcessSnapshot snapshot) =>
        snapshot is { Source.FileSize: null, System.Family: OperatingSystemFamily.Linux, Available.Stacks: false };

    /// <summary>How to get memory that is missing. What a dump of all memory lacks could not be read when it was written.</summary>
    private static CaptureKind MemoryCapture(ProcessSnapshot snapshot) => snapshot.Available.AllMemory ? CaptureKind.AnotherDump : CaptureKind.FullDump;

    private static int Waiting(ProcessSnapshot snapshot, Func<WaitFact, bool> what) =>
        snapshot.Waits.Where(what).Select(w => w.ThreadId).Distinct().Count();
}
