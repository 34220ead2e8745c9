using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>The only thread of a native process of Linux, or all of several, and what may be left to end their waits.</summary>
public sealed class LastThreadWaitTests
{
    private static readonly Resource s_condition = new(ResourceKind.ConditionVariable, 0x5000);

    [Fact]
    public void Wait_that_nobody_can_end_is_suspected()
    {
        Verdict verdict = Assert.Single(Verdicts(Waiting()));
        Assert.Equal(("DUMP5001", Confidence.Suspected), (verdict.DetectorId, verdict.Confidence));
    }

    /// <summary>The C library's own handlers end no wait.</summary>
    [Theory]
    [InlineData(0x180000000ul, true)]
    [InlineData(0x440ul, true)]
    [InlineData(0x200ul, false)]
    [InlineData(null, false)]
    public void Handler_may_end_it(ulong? caught, bool isFound) =>
        Assert.Equal(isFound, Verdicts(Waiting(), s => s with { CaughtSignals = caught }).Length == 1);

    /// <summary>Only of a process that was forked and has executed nothing since is that said, and advised about.</summary>
    [Theory]
    [InlineData(true, "It was forked", true)]
    [InlineData(false, "holds itself", false)]
    [InlineData(null, "It may have been forked", true)]
    public void Fork_is_said_where_there_was_one(bool? isForked, string words, bool isAdvised)
    {
        Verdict verdict = Assert.Single(Verdicts(Waiting(), s => s with { IsForkedCopy = isForked }));
        Assert.Contains(verdict.Claims, c => c.Text.Contains(words, StringComparison.Ordinal));
        Assert.Equal(isAdvised, verdict.Remedies.Any(r => r.Contains("fork", StringComparison.OrdinalIgnoreCase)));
    }

    [Fact]
    public void Second_thread_may_end_it() => Assert.Empty(Verdicts(Waiting().Thread(2)));

    [Fact]
    public void Another_process_may_end_a_wait_that_is_not_private() => Assert.Empty(Verdicts(Waiting().WithWait(w => w with { IsWithinProcess = false })));

    [Fact]
    public void Limit_ends_it() => Assert.Empty(Verdicts(new SnapshotBuilder().Thread(1).Wait(1, s_condition, WaitTimeout.Finite)
        .WithWait(w => w with { IsWithinProcess = true })));

    /// <summary>All stand in waits for words of the process, or for a thread of it, and none was woken for a while.</summary>
    [Theory]
    [InlineData(true, 0L, WaitTimeout.Infinite, true)]
    [InlineData(false, 0L, WaitTimeout.Infinite, false)]
    [InlineData(true, 3L, WaitTimeout.Infinite, false)]
    [InlineData(true, null, WaitTimeout.Infinite, false)]
    [InlineData(true, 0L, WaitTimeout.Finite, false)]
    public void Several_threads_that_nobody_can_wake_are_suspected(bool isPrivate, long? pauses, WaitTimeout timeout, bool isFound)
    {
        SnapshotBuilder builder = Several(isPrivate, pauses, timeout);
        Assert.Equal(isFound ? [Confidence.Suspected] : [], Verdicts(builder).Select(v => v.Confidence));
        Assert.All(Verdicts(builder), v => Assert.Equal([1u, 2u, 3u], v.Threads.ToArray()));
    }

    [Theory]
    [InlineData(true, 3L, true)]
    [InlineData(true, 0L, false)]
    [InlineData(false, 3L, false)]
    public void Second_look_tells_whether_they_stand(bool isPrivate, long pauses, bool asks)
    {
        ProcessSnapshot snapshot = Several(isPrivate, pauses, WaitTimeout.Infinite).Build();
        Assert.Equal(asks, HangAnalysis.Run(snapshot with { System = snapshot.System with { Family = OperatingSystemFamily.Linux }, CaughtSignals = 0 }).AsksForAnotherLook);
    }

    /// <summary>CPython handles the user's interrupt in each program; it ends no wait by itself.</summary>
    [Theory]
    [InlineData("libpython3.11.so.1.0", 2ul, true)]
    [InlineData("libpython3.11.so.1.0", 0x4000ul, false)]
    [InlineData("server", 2ul, false)]
    public void Interrupt_is_no_handler_of_Python(string module, ulong caught, bool isFound) => Assert.Equal(isFound, Verdicts(
        Several(isPrivate: true, 0, WaitTimeout.Infinite),
        s => s with { CaughtSignals = caught, Modules = [new ModuleSnapshot(module, $"/usr/lib/{module}", 0x1000, 0x1000, 0, null, true)] }).Length == 1);

    /// <summary>Thread 1 waits for the end of thread 2; the others for words.</summary>
    private static SnapshotBuilder Several(bool isPrivate, long? pauses, WaitTimeout timeout)
    {
        Resource end = new(ResourceKind.Thread, 2);
        ThreadSnapshot Stood(ThreadSnapshot thread) => thread with { RecentUse = new ProcessorUse(TimeSpan.Zero, TimeSpan.FromSeconds(1)) { Pauses = pauses } };
        ThreadSnapshot InWord(ThreadSnapshot thread) => Stood(thread) with
        {
            KernelWait = new KernelWait(timeout, new Evidence(EvidenceSource.Register, "futex")) { IsPrivate = isPrivate },
        };
        return new SnapshotBuilder().Thread(1).With(Stood).Wait(1, end).Own(end, 2).Thread(2).With(InWord).Wait(2, s_condition, timeout).Thread(3).With(InWord);
    }

    private static SnapshotBuilder Waiting() => new SnapshotBuilder().Thread(1).Wait(1, s_condition).WithWait(w => w with { IsWithinProcess = true });

    private static Verdict[] Verdicts(SnapshotBuilder builder, Func<ProcessSnapshot, ProcessSnapshot>? change = null)
    {
        ProcessSnapshot snapshot = builder.Build();
        snapshot = snapshot with { System = snapshot.System with { Family = OperatingSystemFamily.Linux }, CaughtSignals = 0 };
        return [.. HangAnalysis.Run(change?.Invoke(snapshot) ?? snapshot).Verdicts.Where(v => v.DetectorId == "DUMP5001")];
    }
}
