using System.Buffers.Binary;
using Dump.Model.Facts;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>
/// Waits for objects or messages, as the code of the program asks for them: MsgWaitForMultipleObjectsEx(count, handles, milliseconds, wake mask, flags).
/// </summary>
public sealed class MessageWaitTests
{
    private const uint A = 0x20;
    private const uint B = 0x24;

    /// <summary>A holds a mutex and waits for the other one or for messages; B holds that one and waits for A's.</summary>
    internal static FakeProcess Crossed(uint mask, int count = -1)
    {
        FakeImage app = new(@"C:\app\app.exe", 0x400000);
        FakeImage user32 = new(@"C:\Windows\System32\user32.dll", 0x7FF900000000);
        FakeImage win32u = new(@"C:\Windows\System32\win32u.dll", 0x7FF908000000);
        FakeImage kernelBase = new(@"C:\Windows\System32\KERNELBASE.dll", 0x7FF910000000);
        FakeImage ntdll = new(@"C:\Windows\System32\ntdll.dll", 0x7FF930000000);
        BinaryPrimitives.WriteUInt64LittleEndian(app.DataBytes, 0x50);
        FakeFunction end = ntdll.Function("RtlUserThreadStart");
        return new FakeProcess
        {
            Images = { app, user32, win32u, kernelBase, ntdll },
            LoaderLock = FakeProcess.Section(ntdll, 0x200, 0, 0),
            Handles = [FakeHandle.Mutex(0x50, count, false, count > 0 ? 0 : B), FakeHandle.Mutex(0x54, 0, false, A)],
            Threads =
            {
                new FakeThread(A, [win32u.Stub("NtUserMsgWaitForMultipleObjectsEx"), user32.Function("MsgWaitForMultipleObjectsEx"),
                    app.CallWith("pump", 1, (uint)app.Data, uint.MaxValue, mask), end]),
                new FakeThread(B, [ntdll.Stub("NtWaitForSingleObject"), kernelBase.Function("WaitForSingleObjectEx"),
                    app.CallWith("win32", 0x54, uint.MaxValue), end], 0x54),
            },
        };
    }

    [Fact]
    public void Wait_that_no_message_ends_is_a_wait_for_its_object()
    {
        Verdict verdict = Assert.Single(SyntheticAnalysis.Of(Crossed(0)).Verdicts);
        Assert.Equal(("DUMP1002", Confidence.Likely), (verdict.DetectorId, verdict.Confidence));
    }

    /// <summary>A sent or posted message, a timer or a window to paint ends the wait before the object does.</summary>
    [Theory]
    [InlineData(0x40u)]
    [InlineData(0x8u)]
    [InlineData(0x10u)]
    [InlineData(0x20u)]
    public void Wait_that_some_message_ends_is_no_deadlock(uint mask)
    {
        FakeProcess process = Crossed(mask);
        Assert.Empty(SyntheticAnalysis.Of(process).Verdicts);
        WaitFact wait = SyntheticAnalysis.Read(process).Waits.Single(w => w.ThreadId == A);
        Assert.Equal((ResourceKind.Mutex, 0x50ul, true), (wait.Resource.Kind, wait.Resource.Identity, wait.IsWaitAny));
    }

    [Fact]
    public void Wait_for_a_free_mutex_is_about_to_end() =>
        Assert.True(SyntheticAnalysis.Read(Crossed(0, count: 1)).Waits.Single(w => w.ThreadId == A).IsSatisfied);
}
