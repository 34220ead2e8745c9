using Dump.Analysis.Looks;
using Dump.Analysis.Pairs;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>Threads that wait for a step of others, and threads that compute: told beside timers and sleepers too, which keep DUMP5001 away.</summary>
public sealed class StepOpenWaitTests
{
    private static readonly Resource s_signal = new(ResourceKind.ManagedSignal, 0x5000);

    private static ThreadSnapshot Managed(ThreadSnapshot thread) => thread with
    {
        ManagedId = (int)thread.Id,
        Stack = thread.Stack with { Frames = [.. thread.Stack.Frames.Select(f => f with { Symbol = SymbolSource.Metadata })] },
    };

    /// <summary>Threads at a function of the class library, beside one that sleeps and wakes.</summary>
    private static ProcessSnapshot Standing(string function, WaitTimeout timeout = WaitTimeout.Infinite, int threads = 1, params string[] below)
    {
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1, ThreadActivityKind.Sleeping, ["system.private.corelib!System.Threading.Thread.Sleep", "app!Sweep"])
            .With(Managed).Wait(1, new Resource(ResourceKind.Time, 0, 1), WaitTimeout.Finite, milliseconds: 500);
        for (uint id = 2; id < 2 + threads; id++)
        {
            builder.Thread(id, frames: ["system.private.corelib!System.Threading.ManualResetEventSlim.Wait", function, "app!Cell", .. below]).With(Managed)
                .Wait(id, s_signal, timeout);
        }

        return builder.Build();
    }

    [Theory]
    [InlineData("system.threading!System.Threading.Barrier.SignalAndWait")]
    [InlineData("system.threading!System.Threading.CountdownEvent.Wait")]
    [InlineData("system.private.corelib!System.Threading.CountdownEvent.Wait")]
    [InlineData("system.collections.concurrent!System.Collections.Concurrent.BlockingCollection<System.__Canon>.Add")]
    public void A_wait_for_a_step_of_others_leaves_the_answer_open(string function)
    {
        AnalysisResult result = HangAnalysis.Run(Standing(function, threads: 3));
        Assert.Empty(result.Verdicts);
        OpenWait wait = Assert.Single(result.OpenWaits, w => w.LeavesUndecided);
        Assert.Equal((OpenWaitKind.Step, 2u, 2), (wait.Kind, wait.ThreadId, wait.Others.Length));
        Assert.True(result.IsUndecidable);
        Assert.True(result.AsksForAnotherLook);
    }

    /// <summary>A limit ends it; an event may be what an idle program waits for; a consumer waits for its next item; another module's function is another one.</summary>
    [Theory]
    [InlineData("system.threading!System.Threading.Barrier.SignalAndWait", WaitTimeout.Finite)]
    [InlineData("system.private.corelib!System.Threading.ManualResetEventSlim.Wait", WaitTimeout.Infinite)]
    [InlineData("system.collections.concurrent!System.Collections.Concurrent.BlockingCollection<System.__Canon>.Take", WaitTimeout.Infinite)]
    [InlineData("system.collections.concurrent!System.Collections.Concurrent.BlockingCollection<System.__Canon>.AddingCompleted", WaitTimeout.Infinite)]
    [InlineData("other!System.Threading.Barrier.SignalAndWait", WaitTimeout.Infinite)]
    public void Other_waits_leave_nothing_open(string function, WaitTimeout timeout)
    {
        AnalysisResult result = HangAnalysis.Run(Standing(function, timeout));
        Assert.DoesNotContain(result.OpenWaits, w => w.Kind == OpenWaitKind.Step);
        Assert.False(result.IsUndecidable);
        Assert.False(result.AsksForAnotherLook);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_second_look_decides_where_they_have_moved(bool hasMoved)
    {
        const string Barrier = "system.threading!System.Threading.Barrier.SignalAndWait";
        static ProcessSnapshot At(ProcessSnapshot snapshot, int second) => snapshot with { Source = snapshot.Source with { Captured = new DateTime(2026, 1, 1, 0, 0, second, DateTimeKind.Utc) } };
        ProcessSnapshot first = At(Standing(Barrier, below: hasMoved ? ["app!Before"] : []), 0), second = At(Standing(Barrier), 10);
        AnalysisResult result = PairAnalysis.Run(SnapshotPair.Create(first, second, out string? difference)!).Result;
        Assert.Null(difference);
        Assert.Equal(!hasMoved, result.OpenWaits.Any(w => w is { Kind: OpenWaitKind.Step, LeavesUndecided: true }));
        Assert.Equal(!hasMoved, result.IsUndecidable);
    }

    /// <summary>Who holds it may be another process: of a first thread without a time limit that leaves the answer open.</summary>
    [Theory]
    [InlineData(ResourceKind.PthreadMutex, WaitTimeout.Infinite, true)]
    [InlineData(ResourceKind.Mutex, WaitTimeout.Infinite, true)]
    [InlineData(ResourceKind.FileLock, WaitTimeout.Infinite, true)]
    [InlineData(ResourceKind.Mutex, WaitTimeout.Finite, false)]
    [InlineData(ResourceKind.ManagedSignal, WaitTimeout.Infinite, false)]
    public void A_first_thread_at_a_lock_of_an_unknown_holder_leaves_the_answer_open(ResourceKind kind, WaitTimeout timeout, bool isOpen)
    {
        ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1, frames: ["libc!wait", "app!Open", "app!Program.Main"]).With(Managed)
            .Wait(1, new Resource(kind, 0x5000), timeout)
            .Thread(2, ThreadActivityKind.Sleeping, ["system.private.corelib!System.Threading.Thread.Sleep", "app!Sweep"])
            .With(Managed).Wait(2, new Resource(ResourceKind.Time, 0, 2), WaitTimeout.Finite, milliseconds: 500).Build();
        AnalysisResult result = HangAnalysis.Run(snapshot with { ProcessId = 1, System = snapshot.System with { Family = OperatingSystemFamily.Linux } });
        Assert.Equal(isOpen, result.OpenWaits.Any(w => w is { ThreadId: 1, LeavesUndecided: true }));
    }

    /// <summary>It is work, and the line to look at where it has no end.</summary>
    [Theory]
    [InlineData(0.99, false, true)]
    [InlineData(0.3, true, true)]
    [InlineData(0.3, false, false)]
    public void A_thread_that_did_nothing_but_compute_is_told(double load, bool wasReady, bool isTold)
    {
        AnalysisResult result = HangAnalysis.Run(new SnapshotBuilder().Thread(1, ThreadActivityKind.Running, ["app!Match", "app!Main"])
            .With(t => Managed(t) with { RecentUse = new ProcessorUse(TimeSpan.FromSeconds(load), TimeSpan.FromSeconds(1), wasReady) }).Build());
        Assert.Empty(result.Verdicts);
        Assert.Equal(isTold, result.OpenWaits.Any(w => w is { Kind: OpenWaitKind.Computing, LeavesUndecided: false }));
        Assert.False(result.IsUndecidable);
    }

    /// <summary>Of a native process nothing else shows that it is at work: what it does some seconds later tells.</summary>
    [Theory]
    [InlineData(OperatingSystemFamily.Linux, false, true)]
    [InlineData(OperatingSystemFamily.Linux, true, false)]
    [InlineData(OperatingSystemFamily.Windows, false, false)]
    public void A_native_process_that_computes_asks_for_another_look(OperatingSystemFamily family, bool isManaged, bool asks)
    {
        ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1, ThreadActivityKind.Running, ["app!Match", "app!Main"])
            .With(t => (isManaged ? Managed(t) : t) with { RecentUse = new ProcessorUse(TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1), true) }).Build();
        Assert.Equal(asks, HangAnalysis.Run(snapshot with { System = snapshot.System with { Family = family } }).AsksForAnotherLook);
    }

    /// <summary>The sample before the first look counts where the thread has gone on since; where it has not, the time since does.</summary>
    [Theory]
    [InlineData(4.0, true)]
    [InlineData(1.0, false)]
    public void Thread_that_computes_in_both_looks_is_a_suspected_runaway(double secondsSince, bool isRunaway)
    {
        DateTime moment = new(2026, 11, 29, 12, 0, 0, DateTimeKind.Utc);
        SnapshotPair pair = SnapshotPair.Create(At(moment, 1), At(moment.AddSeconds(4.2), 1 + secondsSince), out _)!;
        Assert.Equal(isRunaway, PairAnalysis.Run(pair).Result.Verdicts.Any(v => v is { DetectorId: "DUMP2002", Confidence: Confidence.Suspected }));

        static ProcessSnapshot At(DateTime captured, double used)
        {
            ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1, ThreadActivityKind.Running, ["app!Match", "app!Main"])
                .With(t => t with
                {
                    Times = new ThreadTimes(TimeSpan.Zero, TimeSpan.FromSeconds(used), null, null),
                    RecentUse = new ProcessorUse(TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1), true),
                }).Build();
            return snapshot with
            {
                ProcessId = 1, Source = snapshot.Source with { Captured = captured }, System = snapshot.System with { Family = OperatingSystemFamily.Linux },
            };
        }
    }
}
