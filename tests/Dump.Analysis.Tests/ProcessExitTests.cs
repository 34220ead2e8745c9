using Dump.Analysis.Detection;
using Dump.Analysis.Detectors;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>Process exit: what the last thread waits for, nobody of the process is left to end.</summary>
public sealed class ProcessExitTests
{
    private const uint Last = 4;
    private const uint Other = 8;

    private static readonly string[] s_detaching = ["ntdll!NtWaitForSingleObject", "kernelbase!WaitForSingleObjectEx", "plugin.dll", "ntdll",
        "ntdll!LdrShutdownProcess", "ntdll!RtlExitUserProcess"];

    private static readonly LoaderState s_exiting = new(0x7000, false, ShutdownInProgress: true, ShutdownThreadId: Last, true);

    private static readonly Resource s_event = new(ResourceKind.Event, 0x44);

    private static Verdict? Detect(SnapshotBuilder builder) =>
        new OrphanedLockDetector().Detect(new AnalysisContext(builder.Build())).Verdicts.SingleOrDefault();

    [Theory]
    [InlineData(ResourceKind.Event, Grade.Proven, Confidence.Likely)]
    [InlineData(ResourceKind.Semaphore, Grade.Derived, Confidence.Likely)]
    [InlineData(ResourceKind.Event, Grade.Suspected, Confidence.Suspected)]
    [InlineData(ResourceKind.SlimReaderWriterLock, Grade.Proven, Confidence.Confirmed)]
    [InlineData(ResourceKind.ConditionVariable, Grade.Derived, Confidence.Likely)]
    [InlineData(ResourceKind.Address, Grade.Derived, Confidence.Likely)]
    public void A_wait_of_the_last_thread_is_no_surer_than_who_could_end_it(ResourceKind kind, Grade grade, Confidence expected)
    {
        Verdict? verdict = Detect(new SnapshotBuilder { Loader = s_exiting }.Thread(Last, frames: s_detaching)
            .Wait(Last, new Resource(kind, 0x44), grade: grade));
        Assert.Equal(("DUMP1003", expected), (verdict?.DetectorId, verdict?.Confidence));
        Assert.Equal("plugin.dll", verdict?.Culprit?.Module);
        Assert.Equal(
            kind is ResourceKind.Event or ResourceKind.Semaphore, verdict?.Claims[0]
                .Text.EndsWith("only another process or a driver could.", StringComparison.Ordinal));
    }

    /// <summary>What has a name is there for other processes, one of which may set it.</summary>
    [Fact]
    public void Named_event_is_only_suspected_to_have_no_end()
    {
        ProcessSnapshot snapshot = new SnapshotBuilder { Loader = s_exiting }.Thread(Last, frames: s_detaching).Wait(Last, s_event).Build();
        AnalysisContext context = new(snapshot with { ResourceNames = snapshot.ResourceNames.Add(s_event, @"\BaseNamedObjects\Done") });
        Assert.Equal(Confidence.Suspected, new OrphanedLockDetector().Detect(context).Verdicts.Single().Confidence);
    }

    [Fact]
    public void Without_the_loaders_record_the_function_on_the_stack_tells_of_the_exit() =>
        Assert.Equal(Confidence.Likely, Detect(new SnapshotBuilder().Thread(Last, frames: s_detaching).Wait(Last, s_event))?.Confidence);

    [Fact]
    public void A_guessed_frame_tells_of_no_exit() =>
        Assert.Null(Detect(new SnapshotBuilder().Thread(Last, frames: s_detaching, trust: FrameTrust.Scan).Wait(Last, s_event)));

    [Fact]
    public void While_another_thread_lives_it_may_end_the_wait() =>
        Assert.Null(Detect(new SnapshotBuilder { Loader = s_exiting }.Thread(Last, frames: s_detaching).Thread(Other).Wait(Last, s_event)));

    [Fact]
    public void While_threads_may_be_missing_from_the_dump_one_of_them_may_end_the_wait() => Assert.Null(Detect(
        new SnapshotBuilder { Loader = s_exiting, Available = DataAvailability.All with { AllThreads = false } }.Thread(Last, frames: s_detaching)
            .Wait(Last, s_event)));

    [Fact]
    public void The_only_thread_of_a_process_that_does_not_exit_is_nothing_special() =>
        Assert.Null(Detect(new SnapshotBuilder().Thread(Last).Wait(Last, s_event)));

    [Theory]
    [InlineData(WaitTimeout.Finite, null)]
    [InlineData(WaitTimeout.Unknown, Confidence.Suspected)]
    public void A_limit_ends_the_wait_and_an_unknown_one_may(WaitTimeout timeout, Confidence? expected) =>
        Assert.Equal(expected, Detect(new SnapshotBuilder { Loader = s_exiting }.Thread(Last, frames: s_detaching).Wait(Last, s_event, timeout))?.Confidence);

    [Theory]
    [InlineData(ResourceKind.InputOutput)]
    [InlineData(ResourceKind.RemoteCall)]
    [InlineData(ResourceKind.Process)]
    [InlineData(ResourceKind.Timer)]
    [InlineData(ResourceKind.Mutex)]
    public void What_the_system_or_another_process_ends_is_no_wait_for_the_ended_threads(ResourceKind kind) =>
        Assert.Null(Detect(new SnapshotBuilder { Loader = s_exiting }.Thread(Last, frames: s_detaching).Wait(Last, new Resource(kind, 0x44))));

    [Fact]
    public void A_lock_of_an_ended_thread_is_reported_once_with_the_exit_as_its_cause()
    {
        Resource section = SnapshotBuilder.Section(0x5000);
        Verdict? verdict = Detect(new SnapshotBuilder { Loader = s_exiting }.Thread(Last, frames: s_detaching).Wait(Last, section)
            .Own(section, 0x99, alive: false));
        Assert.Equal(("Orphaned lock", Confidence.Confirmed, "plugin.dll"), (verdict?.Title, verdict?.Confidence, verdict?.Culprit?.Module));
        Assert.Contains(verdict!.Claims, c => c.Text.Contains("has already ended its other threads", StringComparison.Ordinal));
        Assert.Contains(verdict.Remedies, r => r.Contains("DLL_PROCESS_DETACH", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(true, Confidence.Likely)]
    [InlineData(false, Confidence.Suspected)]
    public void Where_no_other_thread_is_left_nobody_hands_load_ownership_over(bool isAlone, Confidence expected)
    {
        SnapshotBuilder builder = new SnapshotBuilder { Loader = s_exiting }
            .Thread(Last, frames: s_detaching, isLoadOwner: false).Wait(Last, new Resource(ResourceKind.LoadOwnership, 0), grade: Grade.Derived);
        Assert.Equal(expected, Detect(isAlone ? builder : builder.Thread(Other, isLoadOwner: false))?.Confidence);
    }
}
