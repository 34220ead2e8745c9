using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>Verdicts on locks of the C library whose holder follows from the stacks: taken again in a handler of signals, left behind by a fork.</summary>
public sealed class LibraryLockVerdictTests
{
    private static readonly Resource s_lock = new(ResourceKind.LibraryLock, 0x5000);

    [Fact]
    public void Lock_taken_again_in_a_handler_names_what_it_interrupted()
    {
        Verdict verdict = Assert.Single(Verdicts(new SnapshotBuilder().Thread(1).With(InHandler).Wait(1, s_lock).Own(s_lock, 1, grade: Grade.Derived)));
        Assert.Equal(("DUMP1002", Confidence.Likely, "Lock taken again in a signal handler"), (verdict.DetectorId, verdict.Confidence, verdict.Title));
        Assert.Contains(verdict.Claims, c => c.Text.Contains("Thread 0 (1) waits inside of a handler of SIGALRM, which interrupted libc.so!syslog", StringComparison.Ordinal));
    }

    /// <summary>The same cycle without a handler has neither the title nor the sentence.</summary>
    [Fact]
    public void Lock_taken_twice_without_a_handler_is_an_ordinary_cycle()
    {
        Verdict verdict = Assert.Single(Verdicts(new SnapshotBuilder().Thread(1).Wait(1, s_lock).Own(s_lock, 1, grade: Grade.Derived)));
        Assert.NotEqual("Lock taken again in a signal handler", verdict.Title);
        Assert.DoesNotContain(verdict.Claims, c => c.Text.Contains("handler", StringComparison.Ordinal));
    }

    /// <summary>With a second thread, or where the process has executed a program since, an ended owner tells nothing of a fork.</summary>
    [Theory]
    [InlineData(1, null, true)]
    [InlineData(1, true, true)]
    [InlineData(1, false, false)]
    [InlineData(2, true, false)]
    public void Lock_that_nobody_holds_is_left_by_a_fork_where_there_is_one_thread(int threads, bool? isCopy, bool isForked)
    {
        SnapshotBuilder scene = new SnapshotBuilder().Thread(1);
        scene = threads == 2 ? scene.Thread(2) : scene;
        Verdict verdict = Assert.Single(
            Verdicts(scene.Wait(1, s_lock).Own(s_lock, 0x99, alive: false, grade: Grade.Derived), s => s with { IsForkedCopy = isCopy }));
        Assert.Equal(("DUMP1003", Confidence.Likely), (verdict.DetectorId, verdict.Confidence));
        Assert.Equal(isForked, verdict.Title == "Lock held when the process was forked");
        Assert.Equal(isForked, verdict.Claims.Any(c => c.Evidence.Any(e => e.Text.StartsWith("fork(2)", StringComparison.Ordinal))));
        Assert.DoesNotContain(verdict.Remedies, r => r.Contains("TerminateThread", StringComparison.Ordinal));
    }

    private static ThreadSnapshot InHandler(ThreadSnapshot thread) => thread with
    {
        Stack = thread.Stack with
        {
            Frames =
            [
                Frame("libc.so.6", "syslog"), Frame("shop", "on_alarm"), Frame("libc.so.6", "__restore_rt") with { IsOfSignal = true, Signal = 14 },
                Frame("libc.so.6", "syslog"), Frame("shop", "work"),
            ],
        },
    };

    private static StackFrame Frame(string module, string function) =>
        new(0x1000, 0x2000, module, 0x10, function, 0, FrameTrust.UnwindInfo, SymbolSource.SymbolTable);

    private static Verdict[] Verdicts(SnapshotBuilder builder, Func<ProcessSnapshot, ProcessSnapshot>? change = null)
    {
        ProcessSnapshot snapshot = builder.Build();
        snapshot = snapshot with { System = snapshot.System with { Family = OperatingSystemFamily.Linux } };
        return [.. HangAnalysis.Run(change?.Invoke(snapshot) ?? snapshot).Verdicts];
    }
}
