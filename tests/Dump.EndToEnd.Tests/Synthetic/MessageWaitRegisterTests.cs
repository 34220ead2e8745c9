using Dump.EndToEnd.Tests.Verdicts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Synthetic;

/// <summary>Waits of user32 whose arguments only registers keep: on builds 26100 to 26220, where R10 still equals RCX.</summary>
public sealed class MessageWaitRegisterTests
{
    private const int Rdx = 2;
    private const int R8 = 8;
    private const int R9 = 9;
    private const int R10 = 10;
    private const uint Infinite = uint.MaxValue;
    private const uint AllInput = 0x4FF;
    private const uint SentMessages = 0x40;
    private const int HandleSlot = 2;

    private static ulong HandleAddress => FakeProcess.WaitBlockOf(0) - 0x40 + 8 + ((HandleSlot - 1) * 0x30) + 0x20;

    private static ProcessSnapshot Read(uint build, ulong mask, ulong milliseconds = Infinite, ulong mark = 1)
    {
        FakeImage app = new(@"C:\app\app.exe", 0x140000000);
        FakeImage user32 = new(@"C:\Windows\System32\user32.dll", 0x7FF910000000);
        FakeImage win32u = new(@"C:\Windows\System32\win32u.dll", 0x7FF920000000);
        FakeImage ntdll = new(@"C:\Windows\System32\ntdll.dll", 0x7FF930000000);
        return SyntheticAnalysis.Read(new FakeProcess
        {
            Version = (10, 0, build),
            Images = { app, user32, win32u, ntdll },
            LoaderLock = FakeProcess.Section(ntdll, 0x200, 0, 0),
            Handles = [FakeHandle.Event(0x44, true, false)],
            Threads =
            {
                new FakeThread(
                    0x20,
                    [
                        win32u.Stub("NtUserMsgWaitForMultipleObjectsEx"), user32.Function("RealMsgWaitForMultipleObjectsEx", exported: false),
                        user32.Function("MsgWaitForMultipleObjectsEx"), app.Function("work", exported: false), ntdll.Function("RtlUserThreadStart"),
                    ],
                    1)
                {
                    Volatile = new Dictionary<int, ulong> { [Rdx] = HandleAddress, [R8] = milliseconds, [R9] = mask, [R10] = mark },
                    Locals = [(HandleSlot, 0x44)],
                },
            },
        });
    }

    [Theory]
    [InlineData(Infinite, WaitTimeout.Infinite, null)]
    [InlineData(2_500u, WaitTimeout.Finite, 2_500L)]
    public void Mask_limit_and_objects_are_read(uint milliseconds, WaitTimeout expected, long? limit)
    {
        ProcessSnapshot snapshot = Read(26200, SentMessages, milliseconds);
        Assert.Equal(SentMessages, snapshot.Threads[0].MessageWait?.WakeMask);
        WaitFact wait = Assert.Single(snapshot.Waits);
        Assert.Equal((new Resource(ResourceKind.Event, 0x44), expected, limit, true), (wait.Resource, wait.Timeout, wait.Milliseconds, wait.IsWaitAny));
    }

    [Theory]
    [InlineData(26100u)]
    [InlineData(26220u)]
    public void Builds_with_the_same_files_keep_them_too(uint build) => Assert.Equal(SentMessages, Read(build, SentMessages).Threads[0].MessageWait?.WakeMask);

    /// <summary>A wait that input ends is that of an idle loop.</summary>
    [Fact]
    public void Wait_for_input_is_idle()
    {
        ProcessSnapshot snapshot = Read(26200, AllInput);
        Assert.Empty(snapshot.Waits);
        Assert.Equal(ThreadActivityKind.Idle, snapshot.Threads[0].Activity.Kind);
    }

    /// <summary>Other builds, a missing mark and bits that no mask has say nothing.</summary>
    [Theory]
    [InlineData(19045u, SentMessages, 1)]
    [InlineData(22631u, SentMessages, 1)]
    [InlineData(26221u, SentMessages, 1)]
    [InlineData(26200u, SentMessages, 0)]
    [InlineData(26200u, 0x200, 1)]
    [InlineData(26200u, 0x1_0000_0040, 1)]
    public void Otherwise_nothing_is_known(uint build, ulong mask, ulong mark)
    {
        ProcessSnapshot snapshot = Read(build, mask, mark: mark);
        Assert.Null(snapshot.Threads[0].MessageWait);
        Assert.Empty(snapshot.Waits);
    }
}
