using Dump.Analysis;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Synthetic;

/// <summary>Waits that the program's own code made alertable: an asynchronous procedure call ends them, so that they make no deadlock certain.</summary>
public sealed class AlertableWaitTests
{
    private const uint A = 0x20;
    private const uint B = 0x24;

    /// <summary>Two threads join each other by their handles; the first one's call is the one in question.</summary>
    private static FakeProcess Joins(uint alertable, string module = "app", string? through = null)
    {
        FakeImage app = new(@"C:\app\app.exe", 0x140000000);
        FakeImage other = new($@"C:\app\{module}.dll", 0x150000000);
        FakeImage kernelBase = new(@"C:\Windows\System32\KERNELBASE.dll", 0x7FF910000000);
        FakeImage ntdll = new(@"C:\Windows\System32\ntdll.dll", 0x7FF930000000);
        FakeFunction[] start = [ntdll.Function("RtlUserThreadStart")];
        FakeFunction[] inner = through is null ? [] : [kernelBase.Function(through)];

        // The native call takes the handle, whether it is alertable, and the address of the limit; the other one the limit in milliseconds as its second.
        FakeFunction Join(FakeImage image, string name, uint handle, uint may) =>
            through is null ? image.CallWith(name, handle, may, 0, 0) : image.CallWith(name, handle, uint.MaxValue, may, 0);
        return new FakeProcess
        {
            Images = { app, other, kernelBase, ntdll },
            LoaderLock = FakeProcess.Section(ntdll, 0x200, 0, 0),
            Handles = [FakeHandle.Thread(0x50, A), FakeHandle.Thread(0x54, B)],
            Threads =
            {
                new FakeThread(A, [ntdll.Stub("NtWaitForSingleObject"), .. inner, Join(module == "app" ? app : other, "join_b", 0x54, alertable), .. start],
                    0x54),
                new FakeThread(B, [ntdll.Stub("NtWaitForSingleObject"), .. inner, Join(app, "join_a", 0x50, 0), .. start], 0x50),
            },
        };
    }

    [Fact]
    public void Joins_one_of_which_is_alertable_are_told_and_no_more_than_suspected()
    {
        ProcessSnapshot snapshot = SyntheticAnalysis.Read(Joins(alertable: 1));
        Assert.Equal([true, false], snapshot.Waits.OrderBy(w => w.ThreadId).Select(w => w.IsAlertable));
        Verdict verdict = Assert.Single(HangAnalysis.Run(snapshot).Verdicts);
        Assert.Equal(("DUMP1002", Confidence.Suspected), (verdict.DetectorId, verdict.Confidence));
        Assert.Contains(verdict.Claims, c => c.Text.Contains("(alertable: an asynchronous procedure call may end the wait)", StringComparison.Ordinal));
    }

    /// <summary>Near miss: the same calls, none of them alertable. The .NET runtime waits again after such a call, whoever queued it.</summary>
    [Theory]
    [InlineData(0u, "app")]
    [InlineData(1u, "coreclr")]
    [InlineData(1u, "clr")]
    public void Joins_that_no_procedure_call_ends_are_a_deadlock(uint alertable, string module)
    {
        Verdict verdict = Assert.Single(SyntheticAnalysis.Of(Joins(alertable, module)).Verdicts);
        Assert.Equal("DUMP1002", verdict.DetectorId);
        Assert.True(verdict.Confidence >= Confidence.Likely);
    }

    /// <summary>
    /// <c>WaitForSingleObject</c> goes on with a jump, so that the frame does not tell which of two functions was called. Where the call is not readable
    /// either, as in snapshots without the table of imports, a third argument that is set counts: a deadlock would be said too surely otherwise.
    /// </summary>
    [Fact]
    public void Argument_of_a_call_that_is_not_readable_counts()
    {
        ProcessSnapshot snapshot = SyntheticAnalysis.Read(Joins(alertable: 1, through: "WaitForSingleObjectEx"));
        Assert.Equal([true, false], snapshot.Waits.OrderBy(w => w.ThreadId).Select(w => w.IsAlertable));
        Assert.Equal(Confidence.Suspected, Assert.Single(HangAnalysis.Run(snapshot).Verdicts).Confidence);
    }
}
