using Dump.EndToEnd.Tests.Verdicts;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Synthetic;

/// <summary>Reads and writes without an OVERLAPPED structure, or without an event: the system waits in the call, whose time limit is the device's.</summary>
public sealed class SynchronousReadTests
{
    private const uint Pipe = 0x44;
    private const uint Reader = 0x20;

    private static FakeProcess Process(string function, string call, uint second, uint fifth, int waiters = 0)
    {
        FakeImage app = new(@"C:\app\app.exe", 0x140000000);
        FakeImage kernelBase = new(@"C:\Windows\System32\KERNELBASE.dll", 0x7FF910000000);
        FakeImage ntdll = new(@"C:\Windows\System32\ntdll.dll", 0x7FF930000000);
        FakeFunction start = ntdll.Function("RtlUserThreadStart");
        FakeFunction[] inner = function.StartsWith("Nt", StringComparison.Ordinal) ? [] : [kernelBase.Function(function)];
        FakeProcess process = new()
        {
            Images = { app, kernelBase, ntdll },
            LoaderLock = FakeProcess.Section(ntdll, 0x200, 0, 0),
            Handles = [],
            Threads = { new FakeThread(Reader, [ntdll.Stub(call), .. inner, app.CallWith("read", Pipe, second, 0, 0, fifth), start], Pipe) },
        };
        ulong section = FakeProcess.Section(app, 0x100, Reader, waiters);
        for (uint i = 0; i < waiters; i++)
        {
            FakeFunction[] enter = [ntdll.Stub("NtWaitForAlertByThreadId"), ntdll.Function("RtlEnterCriticalSection"), app.Function("enter", exported: false),
                start];
            process.Threads.Add(new FakeThread(0x24 + (4 * i), enter, section + 8));
        }

        return process;
    }

    /// <summary>Without the handle's name only a server's wait for a client is known to have no time limit: the device may be a serial port.</summary>
    [Theory]
    [InlineData("ReadFile", "NtReadFile", 0x1000u, 0u, true, WaitTimeout.Unknown)]
    [InlineData("WriteFile", "NtWriteFile", 0x1000u, 0u, true, WaitTimeout.Unknown)]
    [InlineData("ConnectNamedPipe", "NtFsControlFile", 0u, 0x2000u, true, WaitTimeout.Infinite)]
    [InlineData("NtReadFile", "NtReadFile", 0u, 0x2000u, true, WaitTimeout.Unknown)]
    [InlineData("ReadFile", "NtReadFile", 0u, 0x2000u, false, WaitTimeout.Unknown)]
    [InlineData("NtReadFile", "NtReadFile", 0x58u, 0u, false, WaitTimeout.Unknown)]
    [InlineData("DeviceIoControl", "NtDeviceIoControlFile", 0u, 0u, false, WaitTimeout.Unknown)]
    public void Call_without_overlapped_structure_is_synchronous(string function, string call, uint second, uint fifth, bool isSynchronous,
        WaitTimeout expected)
    {
        WaitFact wait = Assert.Single(SyntheticAnalysis.Read(Process(function, call, second, fifth)).Waits);
        Assert.Equal((ResourceKind.InputOutput, isSynchronous, expected), (wait.Resource.Kind, wait.IsSynchronous, wait.Timeout));
    }

    /// <summary>Mailslots and serial ports end a read by a limit of their own, whatever the vendor calls his ports.</summary>
    [Theory]
    [InlineData(@"\Device\NamedPipe\sql", WaitTimeout.Infinite)]
    [InlineData(@"\Device\HarddiskVolume3\data.bin", WaitTimeout.Infinite)]
    [InlineData(@"\??\C:\data.bin", WaitTimeout.Infinite)]
    [InlineData(@"\Device\ConDrv", WaitTimeout.Infinite)]
    [InlineData("", WaitTimeout.Unknown)]
    [InlineData(null, WaitTimeout.Unknown)]
    [InlineData(@"\Device\Nameless0", WaitTimeout.Unknown)]
    [InlineData(@"\Device\Serial0", WaitTimeout.Unknown)]
    [InlineData(@"\Device\Silabser0", WaitTimeout.Unknown)]
    [InlineData(@"\Device\ProlificSerial0", WaitTimeout.Unknown)]
    [InlineData(@"\??\COM3", WaitTimeout.Unknown)]
    [InlineData(@"\Device\Mailslot\alerts", WaitTimeout.Unknown)]
    public void Device_that_may_have_a_limit_of_its_own_is_not_endless(string? name, WaitTimeout expected)
    {
        FakeProcess process = Process("ReadFile", "NtReadFile", 0x1000, 0);
        process.Handles = [new FakeHandle(Pipe, "File") { Name = name }];
        Assert.Equal(expected, Assert.Single(SyntheticAnalysis.Read(process).Waits).Timeout);
    }

    /// <summary>A lock held in such a read: whoever writes may do so at any moment, so that it is no more than suspected.</summary>
    [Theory]
    [InlineData(0u, "DUMP1005")]
    [InlineData(0x2000u, null)]
    public void Lock_held_in_a_synchronous_read_is_suspected(uint fifth, string? verdict)
    {
        AnalysisResult result = SyntheticAnalysis.Of(Process("ReadFile", "NtReadFile", 0x1000, fifth, waiters: 4));
        Assert.Equal(verdict, result.Verdicts.SingleOrDefault()?.DetectorId);
        Assert.All(result.Verdicts, v => Assert.Equal(Confidence.Suspected, v.Confidence));
        Assert.True(verdict is not null || result.IsUndecidable);
    }
}
