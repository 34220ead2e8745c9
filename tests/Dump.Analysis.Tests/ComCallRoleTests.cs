using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using static Dump.Analysis.Tests.SnapshotBuilder;

namespace Dump.Analysis.Tests;

/// <summary>
/// A thread that executes COM calls holds nothing that others queue for, and its processor time is its callers' work; as a part of a cycle the call counts.
/// </summary>
public sealed class ComCallRoleTests
{
    private const uint Server = 1;

    private static Resource Call(uint caller) => new(ResourceKind.ComCall, 0, caller);

    private static SnapshotBuilder Callers(SnapshotBuilder builder)
    {
        for (uint caller = 2; caller < 9; caller++)
        {
            builder.Thread(caller).Wait(caller, Call(caller), grade: Grade.Derived).Own(Call(caller), Server, grade: Grade.Derived);
        }

        return builder;
    }

    [Fact]
    public void Callers_are_no_queue_for_a_lock() =>
        Assert.Empty(HangAnalysis.Run(Callers(new SnapshotBuilder().Thread(Server).Wait(Server, new Resource(ResourceKind.Event, 0x44))).Build()).Verdicts);

    [Fact]
    public void Thread_that_computes_an_answer_is_no_spinning_owner()
    {
        ThreadTimes times = new(TimeSpan.Zero, TimeSpan.FromMinutes(5), null, TimeSpan.FromMinutes(6));
        Assert.DoesNotContain(HangAnalysis.Run(Callers(new SnapshotBuilder().Thread(Server, ThreadActivityKind.Running, times: times)).Build()).Verdicts, v =>
            v.DetectorId == "DUMP2001");
    }

    [Fact]
    public void Lock_that_the_caller_holds_closes_the_cycle()
    {
        SnapshotBuilder builder = new SnapshotBuilder().Thread(Server).Thread(2)
            .Wait(2, Call(2), grade: Grade.Derived).Own(Call(2), Server, grade: Grade.Derived).Wait(Server, Section(0xA)).Own(Section(0xA), 2);
        Verdict verdict = Assert.Single(HangAnalysis.Run(builder.Build()).Verdicts);
        Assert.Equal(("DUMP1002", Confidence.Likely), (verdict.DetectorId, verdict.Confidence));
        Assert.Contains(verdict.Claims, c => c.Text == "Thread 1 (0x2) waits for the answer to its COM call, most likely executed by thread 0 (0x1).");
    }
}
