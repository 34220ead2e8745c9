using System.Collections.Immutable;
using Dump.Analysis.Looks;
using Dump.Analysis.Pairs;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using static Dump.Analysis.Tests.SnapshotBuilder;

namespace Dump.Analysis.Tests;

/// <summary>DUMP1009: callbacks that wait while their thread holds the loader.</summary>
public sealed class BlockedLoaderTests
{
    private const uint Holder = 1;
    private const uint Beginning = 2;
    private const uint Ending = 3;
    private const uint Loading = 4;
    private static readonly string[] s_callback =
        ["ntdll!NtWaitForSingleObject", "kernelbase!WaitForSingleObjectEx", "plug!initialize_tables", "plug!DllMain", "ntdll", "ntdll!LdrLoadDll", "app!main"];
    private static readonly Resource s_ownership = new(ResourceKind.LoadOwnership, 0);
    private static readonly Resource s_event = new(ResourceKind.Event, 0x44);
    private static readonly ThreadTimes s_idle = new(TimeSpan.Zero, TimeSpan.FromMilliseconds(10), null, TimeSpan.FromSeconds(10));

    /// <summary>The holder in its callback, and three threads that wait for the loader to start, to end and to load.</summary>
    private static SnapshotBuilder Queue(
        string[]? frames = null, ThreadActivityKind activity = ThreadActivityKind.Waiting, Grade queue = Grade.Derived, FrameTrust trust =
            FrameTrust.UnwindInfo,
        string? systemCall = null) =>
        new SnapshotBuilder().Thread(Holder, activity, frames ?? s_callback, s_idle, isLoadOwner: true, trust: trust).Own(s_ownership, Holder)
            .With(t => t with { Activity = t.Activity with { SystemCall = systemCall ?? t.Activity.SystemCall } })
            .Thread(Beginning, frames: ["ntdll!NtWaitForSingleObject", "ntdll", "ntdll!LdrInitializeThunk"], times: s_idle)
                .Wait(Beginning, s_ownership, grade: queue)
            .Thread(Ending, frames: ["ntdll!NtWaitForSingleObject", "ntdll", "ntdll!LdrShutdownThread", "ntdll!RtlExitUserThread"], times: s_idle)
            .Wait(Ending, s_ownership, grade: queue)
            .Thread(Loading, frames: ["ntdll!NtWaitForSingleObject", "ntdll", "ntdll!LdrLoadDll", "app!load"], times: s_idle)
                .Wait(Loading, s_ownership, grade: queue);

    private static Verdict? Only(SnapshotBuilder builder)
    {
        AnalysisResult result = HangAnalysis.Run(builder.Build());
        Assert.DoesNotContain(result.Outcomes, o => o.Kind == DetectorOutcomeKind.Failed);
        return result.Verdicts.SingleOrDefault();
    }

    [Theory]
    [InlineData(ResourceKind.Event, WaitTimeout.Infinite)]
    [InlineData(ResourceKind.Event, WaitTimeout.Unknown)]
    [InlineData(ResourceKind.Semaphore, WaitTimeout.Finite)]
    [InlineData(ResourceKind.Process, WaitTimeout.Infinite)]
    [InlineData(ResourceKind.KernelObject, WaitTimeout.Unknown)]
    [InlineData(ResourceKind.InputOutput, WaitTimeout.Infinite)]
    [InlineData(ResourceKind.RemoteCall, WaitTimeout.Infinite)]
    [InlineData(ResourceKind.Time, WaitTimeout.Finite)]
    public void A_callback_that_waits_while_others_need_the_loader_is_suspected(ResourceKind kind, WaitTimeout limit)
    {
        Verdict? verdict = Only(Queue().Wait(Holder, new Resource(kind, 0x44), limit));
        Assert.Equal(("DUMP1009", Confidence.Suspected), (verdict?.DetectorId, verdict?.Confidence));
        Assert.Equal(new Culprit("plug.dll", "DllMain (process attach)", Holder), verdict!.Culprit);
        Assert.Equal([Holder], verdict.Threads.ToArray());
        Assert.Equal([Beginning, Ending, Loading], verdict.Victims.SelectMany(v => v.ThreadIds).Order());
        Assert.Equal("Thread 0 (0x1) runs plug.dll's DllMain (process attach) and holds load ownership (the loader's work queue).", verdict.Claims[0].Text);
        Assert.StartsWith(
            "3 threads wait for the loader until the callback returns (1 to start, 1 to end, 1 to go on in a call of the loader)", verdict.Claims[2].Text,
            StringComparison.Ordinal);
    }

    [Fact]
    public void A_sleep_without_end_is_likely() => Assert.Equal(
        ("DUMP1009", Confidence.Likely), Only(Queue(activity: ThreadActivityKind.Sleeping)
            .Wait(Holder, new Resource(ResourceKind.Time, 0, Holder))) is { } verdict
            ? (verdict.DetectorId, verdict.Confidence) : default);

    /// <summary>
    /// A callback that computes for two seconds while four threads start is slow, and nothing says that it is stuck: an owner that runs is a suspicion.
    /// </summary>
    [Theory]
    [InlineData(ThreadActivityKind.Running)]
    [InlineData(ThreadActivityKind.Yielding)]
    public void A_callback_that_works_is_suspected_of_working_for_long(ThreadActivityKind activity) =>
        Assert.Equal(("DUMP2001", Confidence.Suspected), Only(Queue(["plug!initialize_tables", .. s_callback[3..]], activity)) is { } verdict
            ? (verdict.DetectorId, verdict.Confidence) : default);

    [Fact]
    public void A_system_call_of_a_moment_is_no_wait() =>
        Assert.Null(Only(Queue(["ntdll!NtProtectVirtualMemory", .. s_callback[1..]], ThreadActivityKind.SystemCall)));

    [Fact]
    public void A_callback_in_the_file_system_is_suspected()
    {
        string[] frames = ["ntdll!NtCreateFile", "kernelbase!CreateFileW", .. s_callback[2..]];
        Assert.Equal("DUMP1009", Only(Queue(frames, ThreadActivityKind.SystemCall, systemCall: "NtCreateFile"))?.DetectorId);
    }

    [Fact]
    public void A_callback_behind_which_nobody_waits_is_no_verdict() =>
        Assert.Null(Only(new SnapshotBuilder().Thread(Holder, frames: s_callback, times: s_idle, isLoadOwner: true).Own(s_ownership, Holder)
            .Wait(Holder, s_event)));

    [Fact]
    public void A_wait_outside_of_a_callback_is_another_story() =>
        Assert.NotEqual("DUMP1009", Only(Queue(["ntdll!NtWaitForSingleObject", "kernelbase!WaitForSingleObjectEx", "app!work"])
            .Wait(Holder, s_event))?.DetectorId);

    [Fact]
    public void Threads_that_only_may_wait_for_the_loader_are_no_queue() => Assert.Null(Only(Queue(queue: Grade.Suspected).Wait(Holder, s_event)));

    [Fact]
    public void A_callback_that_waits_for_a_lock_is_the_story_of_that_lock() =>
        Assert.Equal("DUMP2001", Only(Queue().Wait(Holder, Section(0xA)).Own(Section(0xA), 9)
            .Thread(9, ThreadActivityKind.Running, times: s_idle))?.DetectorId);

    /// <summary>One hang, one verdict: the cycle explains the wait.</summary>
    [Theory]
    [InlineData(ResourceKind.CriticalSection, "DUMP1001")]
    [InlineData(ResourceKind.Thread, "DUMP1004")]
    public void A_callback_in_a_cycle_is_the_story_of_the_cycle(ResourceKind kind, string expected)
    {
        Resource resource = new(kind, kind == ResourceKind.Thread ? Loading : 0xA);
        Assert.Equal(expected, Only(Queue().Wait(Holder, resource).Own(resource, Loading))?.DetectorId);
    }

    [Fact]
    public void A_callback_known_by_scanned_frames_never_gets_beyond_suspected() => Assert.Equal(Confidence.Suspected, Only(
        Queue(activity: ThreadActivityKind.Sleeping, trust: FrameTrust.Scan).Wait(Holder, new Resource(ResourceKind.Time, 0, Holder)))?.Confidence);

    /// <summary>However many wait: the number only sorts.</summary>
    [Fact]
    public void Many_victims_make_it_no_surer()
    {
        SnapshotBuilder builder = Queue().Wait(Holder, s_event);
        for (uint id = 100; id < 140; id++)
        {
            builder.Thread(id, frames: ["ntdll!NtWaitForSingleObject", "ntdll", "ntdll!LdrInitializeThunk"], times: s_idle)
                .Wait(id, s_ownership, grade: Grade.Derived);
        }

        Verdict? verdict = Only(builder);
        Assert.Equal(("DUMP1009", Confidence.Suspected), (verdict?.DetectorId, verdict?.Confidence));
        Assert.Equal(43, verdict!.Victims.Sum(v => v.ThreadIds.Length));
    }

    /// <summary>The holder maps a DLL itself, or waits for a worker that does: no callback, but the loader is as blocked.</summary>
    [Theory]
    [InlineData(false, "It is in the system call NtCreateSection (file system).")]
    [InlineData(true, "It waits for the loader's worker threads, of which thread 4 (0x9) is in the system call NtOpenFile (file system).")]
    public void A_load_that_stands_in_the_file_system_blocks_the_loader(bool byWorker, string expected)
    {
        SnapshotBuilder builder = byWorker
            ? Queue(["ntdll!NtWaitForSingleObject", "ntdll", "ntdll!LdrLoadDll", "app!load"])
                .Wait(Holder, new Resource(ResourceKind.LoaderWorkers, 0), grade: Grade.Derived)
                .Thread(9, ThreadActivityKind.SystemCall, ["ntdll!NtOpenFile", "ntdll", "ntdll!TppWorkerThread"], s_idle)
                .With(t => t with { IsLoaderWorker = true, Activity = t.Activity with { SystemCall = "NtOpenFile" } })
            : Queue(["ntdll!NtCreateSection", "ntdll", "ntdll!LdrLoadDll", "app!load"], ThreadActivityKind.SystemCall, systemCall: "NtCreateSection");
        Verdict? verdict = Only(builder);
        Assert.Equal(("DUMP1009", "Load of a DLL blocks the loader", Confidence.Suspected), (verdict?.DetectorId, verdict?.Title, verdict?.Confidence));
        Assert.Equal(expected, verdict!.Claims[1].Text);
        Assert.Null(verdict.Culprit);
    }

    /// <summary>Then who does the load is not known to stand anywhere.</summary>
    [Fact]
    public void A_load_whose_workers_work_is_not_blocked() => Assert.NotEqual("DUMP1009", Only(
        Queue(["ntdll!NtWaitForSingleObject", "ntdll", "ntdll!LdrLoadDll", "app!load"])
            .Wait(Holder, new Resource(ResourceKind.LoaderWorkers, 0), grade: Grade.Derived))?.DetectorId);

    /// <summary>What the last thread of a process waits for, only something outside can end.</summary>
    [Theory]
    [InlineData(ResourceKind.InputOutput, WaitTimeout.Infinite, true)]
    [InlineData(ResourceKind.RemoteCall, WaitTimeout.Unknown, true)]
    [InlineData(ResourceKind.InputOutput, WaitTimeout.Finite, false)]
    [InlineData(ResourceKind.Thread, WaitTimeout.Infinite, false)]
    public void A_callback_of_an_exiting_process_that_waits_is_suspected(ResourceKind kind, WaitTimeout limit, bool isFound)
    {
        string[] frames = [.. s_callback[..5], "ntdll!LdrShutdownProcess", "ntdll!RtlExitUserProcess"];
        SnapshotBuilder builder = new SnapshotBuilder { Loader = new(0x7000, false, ShutdownInProgress: true, ShutdownThreadId: Holder, true) }
            .Thread(Holder, frames: frames, times: s_idle, isLoadOwner: true).Thread(Beginning, times: s_idle).With(t => t with { HasExited = true })
            .Wait(Holder, new Resource(kind, Beginning), limit);
        Assert.Equal(isFound ? ("DUMP1009", Confidence.Suspected) : default, Only(builder) is { } verdict ? (verdict.DetectorId, verdict.Confidence) : default);
    }

    /// <summary>The same wait with the same victims in two dumps; a time limit or another place says that it goes on.</summary>
    [Theory]
    [InlineData(6, 0, false, Confidence.Likely)]
    [InlineData(3, 0, false, Confidence.Suspected)]
    [InlineData(6, 3, false, Confidence.Suspected)]
    [InlineData(6, 0, true, Confidence.Suspected)]
    public void A_second_dump_of_the_same_wait_makes_it_likely(int seconds, int used, bool isElsewhere, Confidence expected)
    {
        SnapshotBuilder before = Queue(isElsewhere ? [.. s_callback[..2], "plug!read_tables", .. s_callback[2..]] : null).Wait(Holder, s_event);
        ProcessSnapshot after = Queue().Wait(Holder, s_event).Build();
        ImmutableArray<ThreadSnapshot> threads = [.. after.Threads.Select(t => t.Id == Holder ? t with { Times = Used(used) } : t)];
        PairResult result = PairAnalysis.Run(SnapshotPair.Create(At(before.Build(), 0), At(after with { Threads = threads }, seconds), out _)!);
        Verdict verdict = Assert.Single(result.Result.Verdicts);
        Assert.Equal(("DUMP1009", expected), (verdict.DetectorId, verdict.Confidence));
    }

    private static ThreadTimes Used(int seconds) => s_idle with { User = s_idle.User + TimeSpan.FromSeconds(seconds) };

    private static ProcessSnapshot At(ProcessSnapshot snapshot, int seconds) => snapshot with
    {
        ProcessId = 7, Source = snapshot.Source with { Captured = new DateTime(2026, 1, 2, 3, 4, 5 + seconds, DateTimeKind.Utc) },
    };

    [Fact]
    public void Without_thread_environment_blocks_the_question_stays_open()
    {
        AnalysisResult result = HangAnalysis.Run(
            new SnapshotBuilder { Available = DataAvailability.All with { ThreadEnvironmentBlocks = false } }.Thread(Holder, frames: s_callback, times: s_idle)
                .Build());
        Assert.Equal(DetectorOutcomeKind.InsufficientData, result.Outcomes.Single(o => o.DetectorId == "DUMP1009").Kind);
    }
}
