using Dump.Model.Facts;
using Dump.Model.Verdicts;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>
/// SRW locks, the loader and waits for messages as builds of Windows 10 and 11 have them, each with its healthy twin, on minidumps made by hand. Critical
/// sections, which differ between builds, have theirs in <see cref="CriticalSectionTests"/>.
/// </summary>
public sealed class WindowsBuildTests
{
    private const uint A = 0x20;
    private const uint B = 0x24;
    private const uint SentMessages = 0x40;

    /// <summary>Windows 10 1607, 1809 and 22H2; Windows 11 23H2, 24H2 and 25H2.</summary>
    public static TheoryData<uint> Builds => [14393, 17763, 19045, 22631, 26100, 26200];

    private static FakeProcess On(uint build, FakeProcess process)
    {
        process.Version = (10, 0, build);
        return process;
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void Crossed_slim_locks_are_suspected(uint build)
    {
        Verdict verdict = Assert.Single(SyntheticAnalysis.Of(On(build, SlimLockTests.Crossed().Process)).Verdicts);
        Assert.Equal(("DUMP1002", Confidence.Suspected), (verdict.DetectorId, verdict.Confidence));
    }

    /// <summary>The healthy twin: who may hold the lock sleeps, and wants none.</summary>
    [Theory]
    [MemberData(nameof(Builds))]
    public void Queue_for_a_slim_lock_is_no_verdict(uint build)
    {
        AddressWaitScene scene = new();
        ulong wanted = scene.Contended(0x100, waiter: 1);
        scene.Sleeper(A, keeps: wanted);
        scene.Waiter(B, "RtlAcquireSRWLockExclusive", wanted);
        AnalysisResult result = SyntheticAnalysis.Of(On(build, scene.Process));
        Assert.Empty(result.Verdicts);
        Assert.True(SyntheticAnalysis.IsUndecidable(result));
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void Thread_joined_under_the_loader_is_a_deadlock(uint build)
    {
        Verdict verdict = Assert.Single(SyntheticAnalysis.Of(On(build, LoaderOwnershipTests.Join(s => s.Ending(B)))).Verdicts);
        Assert.Equal(("DUMP1004", Confidence.Likely), (verdict.DetectorId, verdict.Confidence));
        Assert.Equal([A, B], verdict.Threads.ToArray());
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void Join_under_the_loader_with_a_time_limit_is_no_deadlock(uint build) => Assert.DoesNotContain(
        SyntheticAnalysis.Of(On(build, LoaderOwnershipTests.Join(s => s.Ending(B), milliseconds: 5000))).Verdicts, v => v.Confidence > Confidence.Suspected);

    [Theory]
    [MemberData(nameof(Builds))]
    public void Wait_for_an_object_that_no_message_ends_closes_a_cycle(uint build)
    {
        Verdict verdict = Assert.Single(SyntheticAnalysis.Of(On(build, MessageWaitTests.Crossed(0))).Verdicts);
        Assert.Equal(("DUMP1002", Confidence.Likely), (verdict.DetectorId, verdict.Confidence));
    }

    [Theory]
    [MemberData(nameof(Builds))]
    public void Wait_that_a_sent_message_ends_closes_none(uint build) =>
        Assert.Empty(SyntheticAnalysis.Of(On(build, MessageWaitTests.Crossed(SentMessages))).Verdicts);
}
