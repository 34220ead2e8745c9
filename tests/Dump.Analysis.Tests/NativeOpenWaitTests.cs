using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>What threads of a Linux process without .NET wait for is listed by what it is and by the function of the program.</summary>
public sealed class NativeOpenWaitTests
{
    private static readonly string[] s_worker = ["ntdll!wait", "app!worker", "app!main"];
    private static readonly string[] s_writer = ["ntdll!wait", "app!writer", "app!main"];
    private static readonly Resource s_condition = new(ResourceKind.ConditionVariable, 0x5000);
    private static readonly Resource s_other = new(ResourceKind.ConditionVariable, 0x6000);

    [Fact]
    public void Threads_in_one_function_and_wait_are_one_line()
    {
        OpenWait[] waits = Find(new SnapshotBuilder().Thread(1, frames: s_worker).Thread(2, frames: s_worker).Thread(3, frames: s_writer)
            .Thread(4, frames: s_worker).Wait(1, s_condition).Wait(2, s_condition).Wait(3, s_condition).Wait(4, s_other));
        Assert.Equal([[1u, 2u], [3u], [4u]], waits.Select(w => (uint[])[w.ThreadId!.Value, .. w.Others]));
        Assert.All(waits, w => Assert.True(w.LeavesUndecided));
    }

    /// <summary>One with a limit goes on by itself, and one that waits for files to become ready is idle.</summary>
    [Theory]
    [InlineData(ResourceKind.PthreadSemaphore, WaitTimeout.Infinite, true)]
    [InlineData(ResourceKind.PthreadSemaphore, WaitTimeout.Unknown, true)]
    [InlineData(ResourceKind.PthreadSemaphore, WaitTimeout.Finite, false)]
    [InlineData(ResourceKind.Work, WaitTimeout.Infinite, false)]
    public void Only_waits_that_may_last_leave_something_undecided(ResourceKind kind, WaitTimeout timeout, bool expected)
    {
        OpenWait wait = Assert.Single(Find(new SnapshotBuilder().Thread(1, frames: s_worker).Wait(1, new Resource(kind, 0x5000), timeout)));
        Assert.Equal(expected, wait.LeavesUndecided);
        Assert.Equal(timeout == WaitTimeout.Finite, wait.Activity.EndsWith("goes on by itself", StringComparison.Ordinal));
    }

    /// <summary>Locks name themselves without a stack, as in programs whose C library has no unwind information.</summary>
    [Fact]
    public void Known_waits_are_listed_without_stacks()
    {
        OpenWait[] waits = Find(new SnapshotBuilder().Thread(1, frames: ["libc!wait"]).Thread(2, frames: ["libc!wait"])
            .Wait(1, s_condition).Wait(2, s_condition));
        Assert.Equal([1u, 2u], waits.SelectMany(w => (uint[])[w.ThreadId!.Value, .. w.Others]));
    }

    [Fact]
    public void Threads_that_run_are_not_listed() =>
        Assert.Empty(Find(new SnapshotBuilder().Thread(1, ThreadActivityKind.Running, s_worker)));

    /// <summary>A runtime of .NET waits in the same functions, and its managed half says for what.</summary>
    [Fact]
    public void Process_with_a_runtime_is_not_listed()
    {
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1, frames: s_worker).Thread(2, frames: s_worker).Wait(1, s_condition).Wait(2, s_condition);
        ProcessSnapshot snapshot = Linux(builder);
        Assert.True(IsListed(snapshot));
        Assert.False(IsListed(snapshot with
        {
            Modules = [.. snapshot.Modules, new ModuleSnapshot("libcoreclr.so", "/usr/lib/libcoreclr.so", 0x1000, 0x1000, 0, null, true)],
        }));
        Assert.False(IsListed(snapshot with { Threads = [.. snapshot.Threads.Select(t => t with { ManagedId = (int)t.Id })] }));
        Assert.False(IsListed(builder.Build()));
    }

    private static bool IsListed(ProcessSnapshot snapshot) => HangAnalysis.Run(snapshot).OpenWaits.Any(w => !w.Others.IsEmpty);

    /// <summary>Those of a verdict stand there.</summary>
    [Fact]
    public void Judged_threads_are_not_listed()
    {
        Resource first = new(ResourceKind.PthreadMutex, 0x5000), second = new(ResourceKind.PthreadMutex, 0x6000);
        OpenWait[] waits = Find(new SnapshotBuilder().Thread(1, frames: s_worker).Thread(2, frames: s_worker).Thread(3, frames: s_writer)
            .Wait(1, first).Wait(2, second).Own(first, 2).Own(second, 1).Wait(3, s_condition));
        Assert.Equal([3u], waits.Select(w => w.ThreadId!.Value));
    }

    private static OpenWait[] Find(SnapshotBuilder builder) => [.. HangAnalysis.Run(Linux(builder)).OpenWaits];

    /// <summary>Its system library is the builder's.</summary>
    private static ProcessSnapshot Linux(SnapshotBuilder builder) => builder.Build() is var snapshot
        ? snapshot with { System = snapshot.System with { Family = OperatingSystemFamily.Linux } }
        : snapshot;
}
