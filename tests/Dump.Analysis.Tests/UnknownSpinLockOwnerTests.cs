using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using static Dump.Analysis.Tests.SnapshotBuilder;

namespace Dump.Analysis.Tests;

/// <summary>A thread polls a SpinLock of .NET that does not say who holds it, on Windows: a hang through it is neither shown nor excluded.</summary>
public sealed class UnknownSpinLockOwnerTests
{
    private const uint Polling = 4;
    private const uint Holding = 8;
    private static readonly Resource s_lock = new(ResourceKind.SpinLock, 0x9000);
    private static readonly string[] s_polling = ["ntdll!NtYieldExecution", "kernelbase!SwitchToThread", "coreclr",
        "system.private.corelib!System.Threading.SpinLock.ContinueTryEnter", "app!work"];
    private static readonly string[] s_blocked = ["ntdll!NtWaitForSingleObject", "coreclr", "system.private.corelib!System.Threading.Thread.Join", "app!work"];

    private static ProcessSnapshot Scene(Resource wanted, EvidenceSource source = EvidenceSource.Runtime, WaitTimeout timeout = WaitTimeout.Unknown)
    {
        ProcessSnapshot snapshot = new SnapshotBuilder().Thread(Polling, ThreadActivityKind.Yielding, s_polling).Thread(Holding, frames: s_blocked)
            .Wait(Holding, wanted).Own(wanted, Polling).Build();
        return snapshot with { Waits = [.. snapshot.Waits, new WaitFact(Polling, s_lock, timeout, Grade.Derived, [new Evidence(source, "by hand")])] };
    }

    private static bool SaysWhatIsMissing(AnalysisResult result) =>
        result.Outcomes.Single(o => o.DetectorId == "DUMP9001").Missing.Any(m =>
            m.What.StartsWith("the owner of a SpinLock that 1 thread spins for", StringComparison.Ordinal));

    [Fact]
    public void A_join_of_the_polling_thread_is_no_sound_program()
    {
        AnalysisResult result = HangAnalysis.Run(Scene(new Resource(ResourceKind.Thread, 0x44)));
        Assert.Empty(result.Verdicts);
        Assert.True(result.IsUndecidable);
        Assert.True(SaysWhatIsMissing(result));
    }

    [Fact]
    public void A_queue_behind_the_polling_thread_may_be_a_cycle() => Assert.True(
        SaysWhatIsMissing(HangAnalysis.Run(Scene(new Resource(ResourceKind.Monitor, 0xA000)))));

    [Theory]
    [InlineData(EvidenceSource.Runtime, WaitTimeout.Finite)]
    [InlineData(EvidenceSource.Stack, WaitTimeout.Infinite)]
    public void Neither_a_time_limit_nor_a_lock_of_native_code_lacks_it(EvidenceSource source, WaitTimeout timeout) =>
        Assert.False(SaysWhatIsMissing(HangAnalysis.Run(Scene(Section(0xA), source, timeout))));
}
