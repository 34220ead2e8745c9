using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>DUMP5001: what nobody owns and nobody is left to end, told apart from what waits for somebody outside.</summary>
public sealed class EverythingWaitsTests
{
    private const string Wait = "System.Threading.ManualResetEventSlim.Wait";
    private static readonly Resource s_signal = new(ResourceKind.ManagedSignal, 0x5000);
    private static readonly Resource s_section = new(ResourceKind.Monitor, 0x6000);
    private static readonly string[] s_main = ["system.private.corelib!" + Wait, "app!main"];

    private static KernelWait Limit(WaitTimeout timeout) => new(timeout, new Evidence(EvidenceSource.Register, "by hand"));

    private static ThreadSnapshot Managed(ThreadSnapshot thread, string? call, WaitTimeout limit = WaitTimeout.Infinite) => thread with
    {
        ManagedId = (int)thread.Id,
        Activity = thread.Activity with { SystemCall = call },
        KernelWait = Limit(limit),
        Stack = thread.Stack with { Frames = [.. thread.Stack.Frames.Select(f => f with { Symbol = SymbolSource.Metadata })] },
    };

    /// <summary>The first thread waits for an event that nobody owns, beside the threads that every .NET process has.</summary>
    private static SnapshotBuilder Hung(WaitTimeout timeout = WaitTimeout.Infinite) => new SnapshotBuilder()
        .Thread(1, frames: s_main).With(t => Managed(t, "futex")).Wait(1, s_signal, timeout)
        .Thread(2, frames: ["libc"]).With(t => t with { Activity = t.Activity with { SystemCall = "restart_syscall" } })
        .Thread(3, ThreadActivityKind.SystemCall, ["libc"]).With(t => t with { Activity = t.Activity with { SystemCall = "openat" } })
        .Thread(4, frames: ["libc"]).With(t => t with { ManagedId = 2, Activity = t.Activity with { SystemCall = "restart_syscall" } })
        .Thread(5, ThreadActivityKind.Idle, ["system.private.corelib!System.Threading.LowLevelLifoSemaphore.WaitForSignal"])
            .With(t => Managed(t, "futex", WaitTimeout.Finite));

    private static AnalysisResult Run(SnapshotBuilder builder, Func<ProcessSnapshot, ProcessSnapshot>? change = null)
    {
        ProcessSnapshot snapshot = builder.Build();
        snapshot = snapshot with { System = snapshot.System with { Family = OperatingSystemFamily.Linux } };
        return HangAnalysis.Run(change is null ? snapshot : change(snapshot));
    }

    private static bool Finds(AnalysisResult result) => result.Verdicts.Any(v => v.DetectorId == "DUMP5001");

    [Fact]
    public void A_program_whose_threads_all_wait_for_what_nobody_owns_is_suspected()
    {
        Verdict verdict = Assert.Single(Run(Hung().Thread(6, frames: s_main).With(t => Managed(t, "futex")).Wait(6, s_signal)).Verdicts);
        Assert.Equal(("DUMP5001", Confidence.Suspected), (verdict.DetectorId, verdict.Confidence));
        Assert.Equal<uint>([1, 6], verdict.Threads);
        Assert.StartsWith("Both threads that execute code of the program wait", verdict.Claims[0].Text, StringComparison.Ordinal);
        Assert.StartsWith("2 threads wait for", verdict.Claims[1].Text, StringComparison.Ordinal);
    }

    /// <summary>Where the first thread waits for a task, what the task waits for is the cause, and so may be what has failed unseen.</summary>
    [Fact]
    public void Calls_that_wait_and_tasks_that_have_failed_are_part_of_it()
    {
        PendingCalls calls = new(1, [new AsyncStep("Shop.ProduceAsync", 0) { Code = new MethodPlace(0, 0x0600_0001) }, new AsyncStep("ChannelWriter.WriteAsync", null)], 1, AwaitEndKind.OtherCode) { Ends = 1, Object = 0x9000 };
        Verdict verdict = Assert.Single(Run(Hung(), s => s with
        {
            AsyncWaits = new AsyncWaits { Calls = [calls], Faults = [new UnobservedFault(1, "Shop.ConsumeAsync", "System.FormatException", 0x8000)] },
            ManagedModules = [new("/srv/shop/shop.dll", 0x1000)],
        }).Verdicts);
        Assert.Contains("1 call of Shop.ProduceAsync waits for ChannelWriter.WriteAsync 0x9000.", verdict.Claims.Select(c => c.Text));
        Assert.Contains("1 task of Shop.ConsumeAsync has failed with System.FormatException, which was never observed.", verdict.Claims.Select(c => c.Text));
    }

    /// <summary>
    /// A thread that blocks in a task is at the line that blocks, and what does not go on is the innermost await of the program's own behind that: both are to
    /// be read.
    /// </summary>
    [Theory]
    [InlineData("Shop.Store.ReadAsync", new[] { "app!main", "shop!Shop.Store.ReadAsync" })]
    [InlineData(null, new[] { "app!main" })]
    public void Await_behind_the_task_is_looked_at_too(string? own, string[] expected)
    {
        AwaitStep framework = new(0x5200, "System.IO.Stream.ReadAsync", TaskState.Pending);
        AwaitStep[] steps = own is null ? [framework]
            : [new(0x5100, own, TaskState.Pending) { Place = new AwaitPlace(new MethodPlace(0, 0x0600_0001), 0) }, framework];
        Resource task = new(ResourceKind.ManagedTask, 0x5000);
        SnapshotBuilder scene = Hung().Thread(6, frames: ["system.private.corelib!System.Threading.Tasks.Task.Wait", "app!main"]).With(t => Managed(t, "futex"));
        Verdict verdict = Assert.Single(Run(scene.Wait(6, task), s => s with
        {
            TaskWaits = [new TaskWait(6, [new AwaitStep(0x5000, "a task", TaskState.Pending), .. steps], null, null)],
            ManagedModules = [new("/srv/shop/shop.dll", 0x1000)],
        }).Verdicts);
        Assert.Equal(expected, verdict.LookAt.Select(p => p.Code).Distinct());
        Assert.Equal(own is not null, verdict.LookAt.Any(p => p is { IsAwaited: true, ThreadId: 6 }));
        Assert.All(verdict.LookAt.Where(p => p.Code == "app!main"), p => Assert.False(p.IsAwaited));
    }

    /// <summary>A lock that one of them holds has its owner in the chain and in words; what nobody owns comes first.</summary>
    [Fact]
    public void Owner_among_the_waiting_threads_is_named()
    {
        Resource monitor = new(ResourceKind.Monitor, 0x7000);
        Verdict verdict = Assert.Single(
            Run(Hung().Thread(6, frames: s_main).With(t => Managed(t, "futex")).Wait(6, monitor).Thread(7, frames: s_main).With(t => Managed(t, "futex"))
                .Wait(7, monitor).Own(monitor, 1)).Verdicts, v => v.DetectorId == "DUMP5001");
        Assert.Equal<uint?>([null, 1, 1], verdict.Chain.Select(l => l.HolderThreadId));
        Assert.Equal([s_signal.Kind, monitor.Kind], verdict.Stacks.Select(s => verdict.Chain.First(l => l.ThreadId == s.ThreadId).Resource.Kind));
        Assert.Contains("held by thread", verdict.Claims[2].Text, StringComparison.Ordinal);
    }

    /// <summary>Between two pieces of work everything waits too: who has computed a moment before is looked at again.</summary>
    [Theory]
    [InlineData(80, true)]
    [InlineData(20, false)]
    public void A_pool_that_computed_a_moment_before_is_looked_at_again(int milliseconds, bool isBusy)
    {
        AnalysisResult result = Run(Hung().Thread(6, ThreadActivityKind.Idle, ["system.private.corelib!System.Threading.LowLevelLifoSemaphore.WaitForSignal"])
            .With(t => Managed(t, "futex", WaitTimeout.Finite) with
            {
                RecentUse = new ProcessorUse(TimeSpan.FromMilliseconds(milliseconds), TimeSpan.FromSeconds(1), false),
            }));
        Assert.Equal((!isBusy, isBusy, isBusy), (Finds(result), result.AsksForAnotherLook, result.IsUndecidable));
    }

    /// <summary>The frames of the executable that started .NET, and of the runtime, which lie in the program's module where it is one file.</summary>
    [Theory]
    [InlineData(true, "libcoreclr", "libhostfxr", "app!start")]
    [InlineData(true, "app!start")]
    [InlineData(false, "libcoreclr", "libhostfxr", "app!start")]
    public void The_first_thread_is_none_of_the_program_once_Main_has_returned(bool isKnown, params string[] frames)
    {
        AnalysisResult result = Run(new SnapshotBuilder()
            .Thread(1, frames: frames).With(t => t with
            {
                ManagedId = 1,
                HasReturnedFromMain = isKnown,
                Activity = t.Activity with { SystemCall = "futex" },
                KernelWait = Limit(WaitTimeout.Infinite),
            })
            .Thread(6, frames: s_main).With(t => Managed(t, "futex")).Wait(6, s_signal));
        Verdict verdict = Assert.Single(result.Verdicts);
        Assert.Equal("DUMP5001", verdict.DetectorId);
        Assert.Equal<uint>([6], verdict.Threads);
    }

    [Theory]
    [InlineData(WaitTimeout.Unknown)]
    [InlineData(WaitTimeout.Finite)]
    public void A_limit_that_is_unknown_is_no_endless_one(WaitTimeout timeout) => Assert.False(Finds(Run(Hung(timeout))));

    [Theory]
    [InlineData("a thread that computes")]
    [InlineData("a pending timer")]
    [InlineData("sockets")]
    [InlineData("a signal handler")]
    [InlineData("a native thread with a time limit")]
    [InlineData("a child process")]
    [InlineData("a queued work item")]
    [InlineData("a thread whose wait is unknown")]
    public void What_may_end_the_wait_makes_it_an_idle_program(string what)
    {
        SnapshotBuilder builder = Hung();
        _ = what switch
        {
            "a thread that computes" => builder.Thread(9, ThreadActivityKind.Running, ["app!work"]).With(t => Managed(t, null)),
            "a pending timer" => builder.Thread(9, ThreadActivityKind.Idle, ["system.private.corelib!System.Threading.TimerQueue.TimerThread"])
                .With(t => Managed(t, "futex", WaitTimeout.Finite)),
            "sockets" => builder.Thread(9, frames: ["system.net.sockets!System.Net.Sockets.SocketAsyncEngine.EventLoop"]).With(t => Managed(t, "epoll_wait")),
            "a signal handler" => builder.Thread(9, ThreadActivityKind.SystemCall, ["libc"])
                .With(t => t with { Activity = t.Activity with { SystemCall = "read" } }),
            "a native thread with a time limit" => builder.Thread(9, frames: ["libc"])
                .With(t => t with { Activity = t.Activity with { SystemCall = "futex" }, KernelWait = Limit(WaitTimeout.Finite) }),
            "a child process" => builder.Thread(9, frames: ["system.diagnostics.process!System.Diagnostics.Process.WaitForExit", "app!main"])
                .With(t => Managed(t, "futex")).Wait(9, s_signal),
            "a thread whose wait is unknown" => builder.Thread(9, frames: s_main).With(t => Managed(t, "futex")),
            _ => builder,
        };
        Assert.False(Finds(Run(builder, what == "a queued work item" ? s => s with { ThreadPool = new ThreadPoolState([5], 4, 1) } : null)));
    }

    [Theory]
    [InlineData(0, true)]
    [InlineData(1, false)]
    [InlineData(null, false)]
    public void A_thread_that_reads_signals_wakes_only_who_handles_them(int? handlers, bool expected) => Assert.Equal(expected, Finds(Run(
        Hung().Thread(9, ThreadActivityKind.SystemCall, ["libc"]).With(t => t with { Activity = t.Activity with { SystemCall = "read" } }),
        s => s with { SignalHandlers = handlers })));

    /// <summary>The thread of the timers may have been told of one and not have run yet: the queues know.</summary>
    [Theory]
    [InlineData(0, true)]
    [InlineData(1, false)]
    [InlineData(null, true)]
    public void A_timer_that_the_queues_hold_may_wake_somebody(int? timers, bool expected) =>
        Assert.Equal(expected, Finds(Run(Hung(), s => s with { PendingTimers = timers })));

    /// <summary>A daemon waits for what its handler of the process' end sets.</summary>
    [Theory]
    [InlineData(true, false)]
    [InlineData(false, true)]
    public void What_a_handler_of_the_process_end_leads_to_is_no_hang(bool leadsThere, bool expected)
    {
        ulong awaited = Hung().Build().Waits[0].Resource.Identity;
        Assert.Equal(expected, Finds(Run(Hung(), s => s with { EndedAtExit = [leadsThere ? awaited : awaited + 8] })));
    }

    [Fact]
    public void A_timer_thread_without_a_timer_wakes_nobody() => Assert.True(Finds(Run(Hung()
        .Thread(9, ThreadActivityKind.Idle, ["system.private.corelib!System.Threading.TimerQueue.TimerThread"]).With(t => Managed(t, "futex")))));

    [Fact]
    public void Another_hang_explains_who_waits_behind_it()
    {
        Resource other = s_section with { Identity = 0x7000 };
        AnalysisResult result = Run(Hung().Thread(6, frames: s_main).With(t => Managed(t, "futex")).Wait(6, s_section).Own(s_section, 7)
            .Thread(7, frames: s_main).With(t => Managed(t, "futex")).Wait(7, other).Own(other, 6));
        Assert.False(Finds(result));
        Assert.NotEmpty(result.Verdicts);
    }

    [Fact]
    public void Windows_is_not_judged_and_without_stacks_nothing_is_said()
    {
        Assert.False(Finds(Run(Hung(), s => s with { System = s.System with { Family = OperatingSystemFamily.Windows } })));
        AnalysisResult blind = Run(Hung(), s => s with { Available = s.Available with { Stacks = false } });
        Assert.Equal(DetectorOutcomeKind.InsufficientData, blind.Outcomes.Single(o => o.DetectorId == "DUMP5001").Kind);
    }
}
