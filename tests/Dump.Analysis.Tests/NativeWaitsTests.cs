using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>
/// A native Linux process is decided only where no thread is in a wait of which nobody knows who ends it: a server that listens and has no connections, workers
/// of known pools, threads that execute code.
/// </summary>
public sealed class NativeWaitsTests
{
    private static readonly MissingData s_ownerless = MissingData.Of(MissingKind.EndersOfNativeWaits);
    private static readonly string[] s_jemalloc = ["libc.so.6!pthread_cond_wait", "libjemalloc.so.2!", "libc.so.6!start_thread", "libc.so.6!clone3"];

    private static bool IsUndecidable(SnapshotBuilder builder, Func<ProcessSnapshot, ProcessSnapshot>? change = null)
    {
        ProcessSnapshot snapshot = builder.Build() with { Missing = [s_ownerless] };
        snapshot = snapshot with { System = snapshot.System with { Family = OperatingSystemFamily.Linux } };
        return HangAnalysis.Run(change?.Invoke(snapshot) ?? snapshot).IsUndecidable;
    }

    private static SnapshotBuilder Server(bool isForNewWork = true) => new SnapshotBuilder().Thread(1).With(t => Calls(t, "epoll_wait"))
        .Wait(1, Work(1)).WithWait(w => w with { IsForNewWork = isForNewWork });

    private static Resource Work(uint thread) => new(ResourceKind.Work, 0, thread);

    private static ThreadSnapshot Calls(ThreadSnapshot thread, string call) =>
        thread with { Activity = thread.Activity with { SystemCall = call }, Times = new(TimeSpan.Zero, TimeSpan.Zero, null, TimeSpan.FromSeconds(9)) };

    /// <summary>The builder names modules as on Windows.</summary>
    private static ThreadSnapshot OfLinux(ThreadSnapshot thread) => thread with
    {
        Stack = thread.Stack with { Frames = [.. thread.Stack.Frames.Select(f => f with { Module = f.Module![..^".dll".Length] })] },
    };

    [Fact]
    public void A_server_that_listens_is_decided() => Assert.False(IsUndecidable(Server()));

    [Fact]
    public void A_loop_of_which_that_is_not_known_is_not() => Assert.True(IsUndecidable(Server(isForNewWork: false)));

    [Fact]
    public void A_thread_that_executes_code_waits_for_nobody() =>
        Assert.False(IsUndecidable(Server().Thread(2, ThreadActivityKind.Running).With(t => Calls(t, null!))));

    [Theory]
    [InlineData(ResourceKind.ConditionVariable, WaitTimeout.Infinite)]
    [InlineData(ResourceKind.ConditionVariable, WaitTimeout.Finite)]
    [InlineData(ResourceKind.Time, WaitTimeout.Finite)]
    [InlineData(ResourceKind.FileDescriptor, WaitTimeout.Unknown)]
    [InlineData(ResourceKind.ChildProcess, WaitTimeout.Infinite)]
    [InlineData(ResourceKind.PthreadMutex, WaitTimeout.Infinite)]
    [InlineData(ResourceKind.Work, WaitTimeout.Infinite)]
    public void One_wait_for_something_else_leaves_it_open(ResourceKind kind, WaitTimeout timeout) =>
        Assert.True(IsUndecidable(Server().Thread(2).With(t => Calls(t, "futex"))
            .Wait(2, new Resource(kind, kind == ResourceKind.Work ? 0u : 7u, 2), timeout)));

    [Theory]
    [InlineData(ThreadActivityKind.Waiting)]
    [InlineData(ThreadActivityKind.Sleeping)]
    [InlineData(ThreadActivityKind.Yielding)]
    [InlineData(ThreadActivityKind.SystemCall)]
    [InlineData(ThreadActivityKind.Unknown)]
    public void One_thread_of_which_nothing_is_known_leaves_it_open(ThreadActivityKind kind) =>
        Assert.True(IsUndecidable(Server().Thread(2, kind).With(t => Calls(t, "futex"))));

    [Fact]
    public void Threads_that_are_not_listed_or_not_walked_leave_it_open()
    {
        Assert.True(IsUndecidable(Server(), s => s with { Available = s.Available with { AllThreads = false } }));
        Assert.True(IsUndecidable(Server(), s => s with { Available = s.Available with { Stacks = false } }));
    }

    [Fact]
    public void Other_data_stay_missing() => Assert.True(IsUndecidable(Server(), s => s with { Missing = [MissingData.Of(MissingKind.NativeStacks)] }));

    /// <summary>
    /// Whole stack of the thread, and whether it is a worker of a pool: a job of the program, another library, a stack that is not whole are none.
    /// </summary>
    [Theory]
    [InlineData("libc.so.6!pthread_cond_wait libjemalloc.so.2! libc.so.6!start_thread libc.so.6!clone3", StackEnd.Complete, true)]
    [InlineData("libc.so.6!pthread_cond_wait nginx!ngx_thread_pool_cycle libc.so.6!start_thread", StackEnd.Complete, true)]
    [InlineData("libc.so.6!pthread_cond_wait nginx!ngx_thread_cond_wait nginx! libc.so.6!start_thread", StackEnd.Complete, true)]
    [InlineData("libc.so.6!pthread_cond_wait nginx!ngx_thread_cond_wait nginx!ngx_thread_pool_cycle libc.so.6!start_thread", StackEnd.Complete, true)]
    [InlineData("libc.so.6!pthread_cond_wait nginx!ngx_thread_cond_wait nginx!ngx_http_file libc.so.6!start_thread", StackEnd.Complete, false)]
    [InlineData("libc.so.6!pthread_cond_wait nginx!ngx_thread_cond_wait app! libc.so.6!start_thread", StackEnd.Complete, false)]
    [InlineData("libc.so.6!pthread_cond_wait nginx!ngx_thread_cond_wait nginx! nginx! libc.so.6!start_thread", StackEnd.Complete, false)]
    [InlineData("libc.so.6!pthread_cond_wait redis-check-rdb!bioProcessBackgroundJobs libc.so.6!start_thread", StackEnd.Complete, true)]
    [InlineData("libc.so.6!pthread_cond_wait libuv.so.1!uv_cond_wait libuv.so.1! libc.so.6!start_thread", StackEnd.Complete, true)]
    [InlineData("libc.so.6!pthread_cond_wait libuv.so.1!uv_cond_wait app!job libuv.so.1! libc.so.6!start_thread", StackEnd.Complete, false)]
    [InlineData("libc.so.6!pthread_cond_wait nginx!ngx_http_file nginx!ngx_thread_pool_cycle libc.so.6!start_thread", StackEnd.Complete, false)]
    [InlineData("libc.so.6!pthread_cond_wait app!ngx_thread_pool_cycle libc.so.6!start_thread", StackEnd.Complete, false)]
    [InlineData("libc.so.6!pthread_cond_wait libother.so.2! libc.so.6!start_thread", StackEnd.Complete, false)]
    [InlineData("libc.so.6!pthread_cond_wait libc.so.6!start_thread", StackEnd.Complete, false)]
    [InlineData("libc.so.6!pthread_cond_wait libjemalloc.so.2!", StackEnd.UnwindInfoMissing, false)]
    public void Worker_of_a_pool_is_known_by_its_whole_stack(string frames, StackEnd end, bool isOne) => Assert.Equal(!isOne,
        IsUndecidable(Server().Thread(2, frames: frames.Split(' '), end: end).With(t => Calls(OfLinux(t), "futex"))
            .Wait(2, new Resource(ResourceKind.ConditionVariable, 7))));

    [Fact]
    public void Worker_that_waits_for_a_lock_is_not_idle() => Assert.True(
        IsUndecidable(Server().Thread(2, frames: s_jemalloc).With(t => Calls(OfLinux(t), "futex")).Wait(2, new Resource(ResourceKind.PthreadMutex, 7))));
}
