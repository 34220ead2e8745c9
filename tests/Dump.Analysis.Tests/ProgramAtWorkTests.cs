using Dump.Analysis.Looks;
using Dump.Analysis.Pairs;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>
/// A call that one thread waits for in another one's task, shaped like a host of tests: it leaves nothing undecided while the program is seen to go on, and is
/// not "no hang found" where nothing of it is.
/// </summary>
public sealed class ProgramAtWorkTests
{
    private static readonly Resource s_task = new(ResourceKind.ManagedTask, 0x5000);
    private static readonly Resource s_messages = new(ResourceKind.ManagedSignal, 0x6000);
    private static readonly Resource s_done = new(ResourceKind.ManagedSignal, 0x7000);

    [Fact]
    public void Test_that_waits_for_ever_is_named_and_leaves_the_answer_open()
    {
        AnalysisResult result = HangAnalysis.Run(Host().Thread(4, frames: ["libc", "tests!Tests.Waits"]).With(Managed).Wait(4, s_done).Build());
        Assert.Empty(result.Verdicts);
        Assert.True(result.IsUndecidable);
        Assert.Equal([(2u, true), (4u, false)], result.OpenWaits.Where(w => w.ThreadId is not 1).Select(w => (w.ThreadId!.Value, w.LeavesUndecided)));
    }

    [Theory]
    [InlineData(ThreadActivityKind.Running, null)]
    [InlineData(ThreadActivityKind.Yielding, null)]
    [InlineData(ThreadActivityKind.Sleeping, null)]
    [InlineData(ThreadActivityKind.Waiting, WaitTimeout.Finite)]
    [InlineData(ThreadActivityKind.SystemCall, null)]
    public void Test_at_work_leaves_nothing_open(ThreadActivityKind activity, WaitTimeout? timeout)
    {
        SnapshotBuilder builder = Host().Thread(4, activity, ["libc", "tests!Tests.Works"])
            .With(t => Managed(t) with { Activity = t.Activity with { SystemCall = activity == ThreadActivityKind.SystemCall ? "recvmsg" : null } });
        AnalysisResult result = HangAnalysis.Run((timeout is { } limit ? builder.Wait(4, s_done, limit) : builder).Build());
        Assert.False(result.IsUndecidable);
        Assert.Contains(result.OpenWaits, w => w.ThreadId == 2);
    }

    /// <summary>What is idle, what only asks whether something has come, and what has no code of the program proves no work.</summary>
    [Theory]
    [InlineData(ThreadActivityKind.Idle, "system.private.corelib!System.Threading.PortableThreadPool.WorkerThread.WorkerThreadStart", "futex")]
    [InlineData(ThreadActivityKind.SystemCall, "system.net.sockets!System.Net.Sockets.Socket.Poll;host!Host.Ask", "poll")]
    [InlineData(ThreadActivityKind.SystemCall, "system.net.sockets!System.Net.Sockets.Socket.Accept;host!Host.Ask", "accept4")]
    [InlineData(ThreadActivityKind.SystemCall, "system.net.sockets!System.Net.Sockets.SocketAsyncEngine.EventLoop", "epoll_wait")]
    public void Threads_without_work_prove_nothing(ThreadActivityKind activity, string frames, string call) =>
        Assert.True(HangAnalysis.Run(Host().Thread(4, activity, frames.Split(';'))
            .With(t => Managed(t) with { Activity = t.Activity with { SystemCall = call } }).Build()).IsUndecidable);

    [Fact]
    public void Wait_for_a_child_process_is_work() => Assert.False(HangAnalysis.Run(
        Host().Thread(4, frames: ["libc", "system.diagnostics.process!System.Diagnostics.Process.WaitForExit", "tests!Tests.Starts"]).With(Managed)
            .Wait(4, s_done).Build()).IsUndecidable);

    [Fact]
    public void Async_method_that_awaits_time_is_work() =>
        Assert.False(HangAnalysis.Run(Host().Build() with { AsyncWaits = new AsyncWaits { AwaitsTime = true } }).IsUndecidable);

    /// <summary>Of a living process two samples tell whether it computed; what a loop that asks once a second uses is not enough.</summary>
    [Theory]
    [InlineData(60, false)]
    [InlineData(10, true)]
    public void Processor_time_between_two_samples_is_work(int milliseconds, bool isOpen) => Assert.Equal(isOpen, HangAnalysis.Run(
        Host().Thread(4, ThreadActivityKind.Idle, ["libc"])
            .With(t => Managed(t) with { RecentUse = new ProcessorUse(TimeSpan.FromMilliseconds(milliseconds), TimeSpan.FromSeconds(1)) }).Build())
            .IsUndecidable);

    /// <summary>A second waiter makes the task more than one call, and a lock on the way holds others up, whatever else goes on.</summary>
    [Theory]
    [InlineData(true, false)]
    [InlineData(false, true)]
    public void More_than_one_call_leaves_the_answer_open_beside_work(bool secondWaiter, bool isUnderLock)
    {
        Resource held = new(ResourceKind.Monitor, 0x8000);
        SnapshotBuilder builder = Host().Thread(4, ThreadActivityKind.Running, ["tests!Tests.Computes"]).With(Managed)
            .Thread(5, frames: ["libc", "host!Host.Other"]).With(Managed);
        builder = secondWaiter ? builder.Wait(5, s_task) : builder;
        Assert.True(HangAnalysis.Run((isUnderLock ? builder.Own(held, 1).Wait(5, held) : builder).Build()).IsUndecidable);
    }

    /// <summary>A request that waits for a task whose thread waits without an end is no life of a program, and nothing ends a sleep without an end.</summary>
    [Theory]
    [InlineData("host!Host.Request", ResourceKind.ManagedSignal, true)]
    [InlineData("host!Host.Main", ResourceKind.Time, true)]
    [InlineData("host!Host.Main", ResourceKind.ManagedSignal, false)]
    public void Only_the_first_thread_of_a_program_that_waits_for_what_may_come_is_its_life(string outermost, ResourceKind innermost, bool isOpen) =>
        Assert.Equal(isOpen, HangAnalysis.Run(Host(outermost, new Resource(innermost, innermost == ResourceKind.Time ? 0u : 0x6000u))
            .Thread(4, ThreadActivityKind.Running, ["tests!Tests.Computes"]).With(Managed).Build()).IsUndecidable);

    /// <summary>An owner in a garbage collection that is carried out, or one that was clear a moment ago, goes on by itself.</summary>
    [Theory]
    [InlineData(true, false)]
    [InlineData(false, true)]
    public void Owner_of_a_lock_that_stands_for_a_moment_leaves_nothing_open(bool isPassing, bool isOpen)
    {
        Resource held = new(ResourceKind.Monitor, 0x8000);
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1, frames: ["libc", "app!App.Allocate"]).With(t => Managed(t) with { IsPassing = isPassing })
            .Own(held, 1).Thread(2, frames: ["libc", "app!App.Enter"]).With(Managed).Wait(2, held);
        Assert.Equal(isOpen, HangAnalysis.Run(builder.Build()).IsUndecidable);
    }

    /// <summary>An async <c>Main</c> that reads from the console on a worker: it is no lock for which a thread queues, however long it stands.</summary>
    [Theory]
    [InlineData("host!Host.Main", false)]
    [InlineData("host!Host.Request", true)]
    public void Life_of_a_program_is_no_head_of_a_queue(string outermost, bool isHead)
    {
        ProcessSnapshot At(int second)
        {
            ThreadTimes none = new(TimeSpan.Zero, TimeSpan.Zero, DateTime.UnixEpoch, TimeSpan.FromHours(1));
            ProcessSnapshot snapshot = new SnapshotBuilder()
                .Thread(1, frames: ["system.private.corelib!System.Threading.Tasks.Task.Wait", outermost], times: none).With(Managed).Wait(1, s_task)
                .Thread(2, ThreadActivityKind.SystemCall, ["libc!read", "host!Host.Reads"], none).With(Managed).Own(s_task, 2).Build();
            return snapshot with { ProcessId = 7, ProcessStart = 1, Source = snapshot.Source with { Captured = DateTime.UnixEpoch.AddSeconds(second) } };
        }

        Assert.Equal(isHead, PairAnalysis.Run(SnapshotPair.Create(At(0), At(10), out _)!).Result.Verdicts.Any(v => v.DetectorId == "DUMP1005"));
    }

    private static SnapshotBuilder Host(string outermost = "host!Host.Main", Resource? innermost = null) => new SnapshotBuilder()
        .Thread(1, frames: ["system.private.corelib!System.Threading.Tasks.Task.Wait", "host!Host.Run", outermost]).With(Managed).Wait(1, s_task)
        .Thread(2, frames: ["libc", "host!Host.ProcessMessages"]).With(Managed).Own(s_task, 2).Wait(2, innermost ?? s_messages);

    private static ThreadSnapshot Managed(ThreadSnapshot thread) => thread with
    {
        ManagedId = (int)thread.Id,
        Stack = thread.Stack with { Frames = [.. thread.Stack.Frames.Select(f => f with { Symbol = SymbolSource.Metadata })] },
    };
}
