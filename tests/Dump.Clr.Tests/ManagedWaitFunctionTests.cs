using Dump.Clr.Waits;

namespace Dump.Clr.Tests;

/// <summary>
/// Which overloads of the waiting methods have no time limit. Where the kernel's arguments are not known, as on an apartment's thread, nothing else tells.
/// </summary>
public sealed class ManagedWaitFunctionTests
{
    private static bool? HasNoLimit(string type, string method, string? parameters) =>
        ManagedWaitFunctions.Named("System.Threading." + type, method)?.HasNoTimeLimit(parameters is null ? null
            : $"System.Threading.{type}.{method}{parameters}");

    [Theory]
    [InlineData("Monitor", "Wait", "(System.Object, Int32)")]
    [InlineData("Monitor", "Wait", "(System.Object, System.TimeSpan)")]
    [InlineData("WaitHandle", "WaitOne", "(Int32)")]
    [InlineData("WaitHandle", "WaitAll", "(System.Threading.WaitHandle[], Int32)")]
    [InlineData("WaitHandle", "WaitMultiple", "(System.ReadOnlySpan`1<System.Threading.WaitHandle>, Boolean, Int32)")]
    [InlineData("SemaphoreSlim", "Wait", "(System.TimeSpan)")]
    [InlineData("ManualResetEventSlim", "Wait", "(Int32, System.Threading.CancellationToken)")]
    [InlineData("Tasks.Task", "Wait", "(System.Threading.CancellationToken)")]
    [InlineData("Tasks.Task", "Wait", "(Int32)")]
    [InlineData("WaitHandle", "WaitOne", null)]
    public void Overload_that_can_have_a_limit_is_not_called_endless(string type, string method, string? parameters) =>
        Assert.False(HasNoLimit(type, method, parameters));

    /// <summary>A worker without work polls for some before it sleeps: all methods up to the pool's loop are known, so the loop is what it waits in.</summary>
    [Theory]
    [InlineData("Thread", "Yield")]
    [InlineData("Thread", "SpinWait")]
    [InlineData("LowLevelSpinWaiter", "Wait")]
    [InlineData("LowLevelLifoSemaphore", "Wait")]
    [InlineData("PortableThreadPool+WorkerThread", "WorkerThreadStart")]
    public void Methods_of_a_worker_that_polls_for_work_are_waits(string type, string method) =>
        Assert.NotNull(ManagedWaitFunctions.Named("System.Threading." + type, method));

    [Theory]
    [InlineData("<Join>g____PInvoke|56_0", "Join")]
    [InlineData("<WaitOneCore>g____PInvoke|0_0", "WaitOneCore")]
    [InlineData("<Join>g__Try|56_0", "<Join>g__Try|56_0")]
    [InlineData("<>g____PInvoke|56_0", "<>g____PInvoke|56_0")]
    [InlineData("Join", "Join")]
    public void Native_function_is_named_after_its_caller(string function, string expected) => Assert.Equal(expected, ManagedWaitFunctions.Calling(function));

    [Theory]
    [InlineData("Monitor", "Wait", "(System.Object)")]
    [InlineData("WaitHandle", "WaitOne", "()")]
    [InlineData("WaitHandle", "WaitAll", "(System.Threading.WaitHandle[])")]
    [InlineData("SemaphoreSlim", "Wait", "()")]
    [InlineData("Tasks.Task", "Wait", "()")]
    [InlineData("Thread", "Join", "()")]
    [InlineData("Monitor", "Enter", "(System.Object, Boolean ByRef)")]
    public void Overload_without_room_for_one_is(string type, string method, string parameters) => Assert.True(HasNoLimit(type, method, parameters));
}
