using Dump.Analysis;
using Dump.Model.Process;
using Dump.Readers.Minidump;
using Dump.Readers.Windows;
using Dump.Testing.Fixtures;

namespace Dump.Reports.Tests.Scenes;

/// <summary>Everything that reports are made of in these tests, by name.</summary>
internal static class NamedScenes
{
    private static readonly Dictionary<string, Func<Scene>> s_made = new()
    {
        ["load-ownership-likely"] = VerdictScenes.LoadOwnershipLikely,
        ["loader-lock-suspected"] = VerdictScenes.LoaderLockSuspected,
        ["mutex-cycle"] = VerdictScenes.MutexCycle,
        ["mutex-cycle-unknown-time-limit"] = VerdictScenes.MutexCycleOfUnknownTimeLimit,
        ["ui-busy"] = UiScenes.BusyHandler,
        ["ui-com-call-hung"] = UiScenes.ComCallInHungWindow,
        ["ui-lock-stuck"] = UiScenes.LockOfStuckOwner,
        ["ui-task-invoke"] = UiScenes.TaskThatInvokes,
        ["managed-sync-over-async"] = ManagedScenes.SyncOverAsync,
        ["managed-sync-over-async-suspected"] = ManagedScenes.SyncOverAsyncSuspected,
        ["managed-pool-starvation"] = ManagedScenes.PoolStarvationAtMaximum,
        ["managed-pool-starvation-growing"] = ManagedScenes.PoolStarvationGrowing,
        ["managed-dictionary-cycle-spins"] = ManagedScenes.DictionaryCycleThatSpins,
        ["managed-dictionary-cycle-throws"] = ManagedScenes.DictionaryCycleThatThrows,
        ["managed-dictionary-race"] = ManagedScenes.DictionaryRace,
        ["managed-monitor-of-ended-thread"] = ManagedScenes.MonitorOfEndedThread,
        ["managed-spin-locks-of-each-other"] = ManagedScenes.SpinLocksOfEachOther,
        ["managed-semaphore-under-lock"] = ManagedScenes.SemaphoreUnderLock,
        ["self-deadlock"] = VerdictScenes.SelfDeadlock,
        ["orphan-while-exiting"] = VerdictScenes.OrphanWhileExiting,
        ["orphaned-load-ownership"] = VerdictScenes.OrphanedLoadOwnership,
        ["head-blocker-stuck"] = VerdictScenes.HeadBlockerStuck,
        ["head-blocker-slow"] = VerdictScenes.HeadBlockerSlow,
        ["spinning-owner-without-times"] = VerdictScenes.SpinningOwnerWithoutTimes,
        ["runaway-that-computes"] = VerdictScenes.RunawayThatComputes,
        ["pair-deadlock-stands-still"] = PairScenes.DeadlockStandsStill,
        ["pair-deadlock-that-moved"] = PairScenes.DeadlockThatMoved,
        ["pair-lock-released"] = PairScenes.LockReleased,
        ["pair-spinning-owner"] = PairScenes.SpinningOwner,
        ["pair-runaway"] = PairScenes.Runaway,
        ["two-verdicts"] = VerdictScenes.TwoVerdicts,
        ["nothing-found"] = MissingDataScenes.NothingFound,
        ["no-times"] = MissingDataScenes.NoTimes,
        ["no-loader-lock"] = MissingDataScenes.NoLoaderLock,
        ["no-lock-memory"] = MissingDataScenes.NoLockMemory,
        ["no-handles"] = MissingDataScenes.NoHandles,
        ["no-mutex-owner"] = MissingDataScenes.NoMutexOwner,
        ["no-slim-lock-owner"] = MissingDataScenes.NoOwnerOfSlimLocks,
        ["no-handle-value"] = MissingDataScenes.NoHandleValue,
        ["other-architecture"] = MissingDataScenes.OtherArchitecture,
        ["detector-failed"] = MissingDataScenes.DetectorFailed,
        ["detector-failed-and-data-missing"] = MissingDataScenes.DetectorFailedBesideMissingData,
        ["detector-failed-beside-verdict"] = MissingDataScenes.DetectorFailedBesideAVerdict,
        ["many-problems"] = MissingDataScenes.ManyProblems,
    };

    /// <summary>The scenes that are made as facts.</summary>
    public static IReadOnlyDictionary<string, Func<Scene>> Made => s_made;

    /// <summary>All: <c>scenes/NAME</c>, <c>fixtures/NAME</c> for the committed dumps, <c>damaged/NAME</c> for files that are not as they should be.</summary>
    public static IReadOnlyDictionary<string, Func<Scene>> All { get; } = new Dictionary<string, Func<Scene>>(
    [
        .. s_made.Select(s => KeyValuePair.Create($"scenes/{s.Key}", s.Value)),
        .. Fixture.All.Select(f => KeyValuePair.Create($"fixtures/{f.Name}", () => Read(File.ReadAllBytes(f.Path), f.File))),
        KeyValuePair.Create("damaged/hostile", () => Read(HostileDump.Make(), "hos\u001b[7mtile\u202epmd.dmp")),
        KeyValuePair.Create("damaged/truncated", () => Read(Truncated(), "truncated.dmp")),
    ]);

    /// <summary>The facts and the judgement of a dump.</summary>
    public static Scene Read(byte[] bytes, string name)
    {
        using MinidumpFile dump = MinidumpFile.FromBytes(bytes);
        ProcessSnapshot snapshot = WindowsSnapshotReader.Read(dump, name);
        return new Scene(snapshot, HangAnalysis.Run(snapshot));
    }

    /// <summary>A dump whose writer was interrupted: the last third, where memory stands, is missing.</summary>
    private static byte[] Truncated()
    {
        byte[] whole = File.ReadAllBytes(Fixture.Named("loader-exit").Path);
        return whole[..(whole.Length * 2 / 3)];
    }
}
