using Dump.Model.Facts;
using Dump.Model.Process;

namespace Dump.Analysis.Tests;

/// <summary>The managed half that could not be read leaves nothing open where every thread waits for new work.</summary>
public sealed class IdleProcessTests
{
    private static readonly MissingData s_managed = MissingData.Of(MissingKind.WindowsManagedHalf, advice: "none");

    private static bool IsUndecidable(SnapshotBuilder builder, MissingData? missing = null) =>
        HangAnalysis.Run(builder.Build() with { Missing = [missing ?? s_managed] }).IsUndecidable;

    private static SnapshotBuilder Idle(string call = "NtRemoveIoCompletion") => new SnapshotBuilder()
        .Thread(1, ThreadActivityKind.Idle).With(t => Calls(t, "NtWaitForWorkViaWorkerFactory")).Thread(2, ThreadActivityKind.Idle).With(t => Calls(t, call));

    private static ThreadSnapshot Calls(ThreadSnapshot thread, string call) =>
        thread with { Activity = thread.Activity with { SystemCall = call }, Times = new(TimeSpan.Zero, TimeSpan.Zero, null, TimeSpan.FromSeconds(9)) };

    [Fact]
    public void A_process_of_idle_threads_is_decided_without_its_managed_half() => Assert.False(IsUndecidable(Idle()));

    [Theory]
    [InlineData("NtUserMsgWaitForMultipleObjectsEx")]
    [InlineData("NtUserWaitMessage")]
    public void Below_a_message_wait_a_managed_lock_may_be_waited_for(string call) => Assert.True(IsUndecidable(Idle(call)));

    [Fact]
    public void One_thread_that_waits_may_wait_for_a_managed_lock() => Assert.True(
        IsUndecidable(Idle().Thread(3).With(t => Calls(t, "NtWaitForSingleObject"))));

    [Fact]
    public void Threads_that_the_dump_does_not_list_may_wait()
    {
        SnapshotBuilder builder = Idle();
        builder.Available = DataAvailability.All with { AllThreads = false };
        Assert.True(IsUndecidable(builder));
    }

    [Fact]
    public void Other_data_stay_missing() => Assert.True(IsUndecidable(Idle(), MissingData.Of(MissingKind.ManagedHalf)));
}
