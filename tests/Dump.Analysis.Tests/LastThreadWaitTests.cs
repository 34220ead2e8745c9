using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>The only thread of a native process of Linux, and what may be left to end its wait.</summary>
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

    private static SnapshotBuilder Waiting() => new SnapshotBuilder().Thread(1).Wait(1, s_condition).WithWait(w => w with { IsWithinProcess = true });

    private static Verdict[] Verdicts(SnapshotBuilder builder, Func<ProcessSnapshot, ProcessSnapshot>? change = null)
    {
        ProcessSnapshot snapshot = builder.Build();
        snapshot = snapshot with { System = snapshot.System with { Family = OperatingSystemFamily.Linux }, CaughtSignals = 0 };
        return [.. HangAnalysis.Run(change?.Invoke(snapshot) ?? snapshot).Verdicts.Where(v => v.DetectorId == "DUMP5001")];
    }
}
