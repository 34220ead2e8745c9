using Dump.EndToEnd.Tests.Verdicts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Synthetic;

/// <summary>Time limits that only the blocked system call keeps: on the stack as its fifth argument, or in RDX. The caller's code shows none.</summary>
public sealed class SystemCallTimeLimitTests
{
    private const uint Waiter = 0x20;
    private const int LimitSlot = 3;
    private const int R8 = 8;

    /// <summary>Address of the local variable that holds the limit: above the stub's return address lie the frames' 0x28 bytes and return addresses.</summary>
    private static ulong LimitAddress => FakeProcess.WaitBlockOf(0) - 0x40 + 8 + ((LimitSlot - 1) * 0x30) + 0x20;

    private static ProcessSnapshot Read(string call, uint build, ulong second, ulong fifth, long limit, bool isInNtdll = false, ulong third = 0)
    {
        FakeImage app = new(@"C:\app\app.exe", 0x140000000);
        FakeImage kernelBase = new(@"C:\Windows\System32\KERNELBASE.dll", 0x7FF910000000);
        FakeImage ntdll = new(@"C:\Windows\System32\ntdll.dll", 0x7FF930000000);
        FakeFunction plain = (isInNtdll ? ntdll : kernelBase).Function("internal", exported: false);
        FakeThread thread = new(Waiter, [ntdll.Stub(call), plain, plain, app.Function("work", exported: false), ntdll.Function("RtlUserThreadStart")], 2)
        {
            SecondArgument = second,
            Volatile = new Dictionary<int, ulong> { [R8] = third },
            Locals = [(1, fifth), (LimitSlot, unchecked((ulong)limit))],
        };
        return SyntheticAnalysis.Read(new FakeProcess
        {
            Version = (10, 0, build),
            Images = { app, kernelBase, ntdll },
            LoaderLock = FakeProcess.Section(ntdll, 0x200, 0, 0),
            Threads = { thread },
        });
    }

    private static (WaitTimeout, long?) LimitOf(ProcessSnapshot snapshot) => snapshot.Waits.Select(w => (w.Timeout, w.Milliseconds)).Distinct().Single();

    [Theory]
    [InlineData(16299u)]
    [InlineData(19045u)]
    [InlineData(26200u)]
    public void Fifth_argument_of_a_wait_for_several_objects(uint build)
    {
        Assert.Equal((WaitTimeout.Infinite, null), LimitOf(Read("NtWaitForMultipleObjects", build, 0, 0, 0)));
        Assert.Equal((WaitTimeout.Finite, 2_000L), LimitOf(Read("NtWaitForMultipleObjects", build, 0, LimitAddress, -20_000_000)));
        Assert.Equal((WaitTimeout.Infinite, null), LimitOf(Read("NtWaitForMultipleObjects", build, 0, LimitAddress, long.MinValue)));
    }

    /// <summary>Wait functions keep the limit on their stack: what leads elsewhere was left there by something else.</summary>
    [Theory]
    [InlineData(0x140001000UL)]
    [InlineData(0x1234UL)]
    [InlineData(1UL)]
    public void Pointer_that_leads_elsewhere_says_nothing(ulong fifth) =>
        Assert.Equal((WaitTimeout.Unknown, null), LimitOf(Read("NtWaitForMultipleObjects", 19045, 0, fifth, 0)));

    [Theory]
    [InlineData(18363u, WaitTimeout.Finite, 1_500L)]
    [InlineData(22621u, WaitTimeout.Finite, 1_500L)]
    [InlineData(26200u, WaitTimeout.Finite, 1_500L)]
    [InlineData(14393u, WaitTimeout.Finite, 1_500L)]
    [InlineData(10586u, WaitTimeout.Unknown, null)]
    [InlineData(28000u, WaitTimeout.Unknown, null)]
    public void Second_argument_of_a_sleep_counts_on_the_builds_that_keep_it(uint build, WaitTimeout expected, long? milliseconds) =>
        Assert.Equal((expected, milliseconds), LimitOf(Read("NtDelayExecution", build, LimitAddress, 0, -15_000_000)));

    [Theory]
    [InlineData(-10_000_000, WaitTimeout.Finite, 1_000L)]
    [InlineData(long.MinValue, WaitTimeout.Infinite, null)]
    public void Second_argument_of_an_alert_wait(long limit, WaitTimeout expected, long? milliseconds) =>
        Assert.Equal((expected, milliseconds), LimitOf(Read("NtWaitForAlertByThreadId", 22621, LimitAddress, 0, limit)));

    /// <summary>A pointer is checked by where it leads; that RDX is null says something only on builds that were looked at.</summary>
    [Theory]
    [InlineData(18363u, WaitTimeout.Infinite)]
    [InlineData(22621u, WaitTimeout.Infinite)]
    [InlineData(22631u, WaitTimeout.Infinite)]
    [InlineData(26100u, WaitTimeout.Infinite)]
    [InlineData(26200u, WaitTimeout.Infinite)]
    [InlineData(19045u, WaitTimeout.Infinite)]
    [InlineData(16299u, WaitTimeout.Infinite)]
    [InlineData(14393u, WaitTimeout.Unknown)]
    [InlineData(26221u, WaitTimeout.Unknown)]
    public void Absent_limit_of_an_alert_wait_is_endless_on_checked_builds(uint build, WaitTimeout expected) =>
        Assert.Equal((expected, null), LimitOf(Read("NtWaitForAlertByThreadId", build, 0, 0, 0)));

    /// <summary>R8 of a wait for one object: garbage before 26100.</summary>
    [Theory]
    [InlineData(26100u, WaitTimeout.Finite, 1_500L)]
    [InlineData(26200u, WaitTimeout.Finite, 1_500L)]
    [InlineData(22631u, WaitTimeout.Unknown, null)]
    [InlineData(26221u, WaitTimeout.Unknown, null)]
    public void Third_argument_of_a_wait_for_one_object(uint build, WaitTimeout expected, long? milliseconds)
    {
        Assert.Equal((expected, milliseconds), LimitOf(Read("NtWaitForSingleObject", build, 0, 0, -15_000_000, third: LimitAddress)));
        Assert.Equal((milliseconds is null ? WaitTimeout.Unknown : WaitTimeout.Infinite, null), LimitOf(Read("NtWaitForSingleObject", build, 0, 0, 0, third: 0)));
    }

    /// <summary>Locks of ntdll wait in steps, and then again: such a step ends nothing, and where ntdll waits for something unknown it may be one.</summary>
    [Fact]
    public void Step_of_a_wait_of_ntdll_is_no_limit()
    {
        ProcessSnapshot snapshot = Read("NtWaitForAlertByThreadId", 22621, LimitAddress, 0, -10_000_000, isInNtdll: true);
        Assert.Equal((WaitTimeout.Unknown, null), LimitOf(snapshot));
    }
}
