using Dump.EndToEnd.Tests.Verdicts;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Synthetic;

/// <summary>
/// Waits whose kind only the name of a system call or of a function of ntdll tells: the graphics processor, hooks, callbacks of the thread pool.
/// </summary>
public sealed class NamedWaitTests
{
    private const uint Waiter = 0x20;

    private static ProcessSnapshot Read(string module, string call, params string[] ntdllFunctions)
    {
        FakeImage app = new(@"C:\app\app.exe", 0x140000000);
        FakeImage win32u = new(@"C:\Windows\System32\win32u.dll", 0x7FF920000000);
        FakeImage ntdll = new(@"C:\Windows\System32\ntdll.dll", 0x7FF930000000);
        FakeFunction[] inner = [.. ntdllFunctions.Select(f => ntdll.Function(f))];
        return SyntheticAnalysis.Read(new FakeProcess
        {
            Version = (10, 0, 19045),
            Images = { app, win32u, ntdll },
            LoaderLock = FakeProcess.Section(ntdll, 0x200, 0, 0),
            Threads =
            {
                new FakeThread(Waiter, [(module == "ntdll" ? ntdll : win32u).Stub(call), .. inner, app.Function("work", exported: false),
                    ntdll.Function("RtlUserThreadStart")]),
            },
        });
    }

    [Theory]
    [InlineData("win32u", "NtGdiDdDDIWaitForSynchronizationObjectFromCpu", ResourceKind.GraphicsProcessor)]
    [InlineData("win32u", "NtGdiDdDDIWaitForIdle", ResourceKind.GraphicsProcessor)]
    [InlineData("win32u", "NtUserCallNextHookEx", ResourceKind.WindowHook)]
    [InlineData("ntdll", "NtWaitForAlertByThreadId", ResourceKind.PoolCallbacks, "TpWaitForWork")]
    [InlineData("ntdll", "NtWaitForAlertByThreadId", ResourceKind.PoolCallbacks, "RtlWaitOnAddress", "TpWaitForTimer")]
    [InlineData("ntdll", "NtWaitForSingleObject", ResourceKind.PoolCallbacks, "TpReleaseCleanupGroupMembers")]
    public void Kind_is_known(string module, string call, ResourceKind kind, params string[] ntdllFunctions)
    {
        ProcessSnapshot snapshot = Read(module, call, ntdllFunctions);
        WaitFact wait = Assert.Single(snapshot.Waits);
        Assert.Equal((kind, Grade.Derived), (wait.Resource.Kind, wait.Grade));
        Assert.NotEqual(WaitTimeout.Finite, wait.Timeout);
        Assert.Equal((ThreadActivityKind.Waiting, call), (snapshot.Threads[0].Activity.Kind, snapshot.Threads[0].Activity.SystemCall));
    }

    /// <summary>Other calls of the same families need not wait, and a worker without work is idle.</summary>
    [Theory]
    [InlineData("win32u", "NtGdiDdDDIEscape", ThreadActivityKind.SystemCall)]
    [InlineData("win32u", "NtGdiDdDDIPresent", ThreadActivityKind.SystemCall)]
    [InlineData("win32u", "NtUserPostMessage", ThreadActivityKind.SystemCall)]
    [InlineData("ntdll", "NtWaitForWorkViaWorkerFactory", ThreadActivityKind.Idle, "TpCallbackIndependent")]
    public void Other_calls_are_no_waits(string module, string call, ThreadActivityKind activity, params string[] ntdllFunctions)
    {
        ProcessSnapshot snapshot = Read(module, call, ntdllFunctions);
        Assert.Empty(snapshot.Waits);
        Assert.Equal(activity, snapshot.Threads[0].Activity.Kind);
    }

    /// <summary>A lock that a function of the pool waits for is that lock.</summary>
    [Fact]
    public void Lock_inside_a_function_of_the_pool_is_the_lock() =>
        Assert.Equal(ResourceKind.SlimReaderWriterLock, Assert.Single(Read("ntdll", "NtWaitForAlertByThreadId", "RtlAcquireSRWLockExclusive", "TpWaitForWork")
            .Waits).Resource.Kind);
}
