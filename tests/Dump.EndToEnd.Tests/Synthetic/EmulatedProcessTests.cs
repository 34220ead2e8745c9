using Dump.EndToEnd.Tests.Verdicts;
using Dump.Model.Verdicts;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Synthetic;

/// <summary>A 32-bit process inside a 64-bit dump: its own stacks are not read, so that nothing found means nothing.</summary>
public sealed class EmulatedProcessTests
{
    [Theory]
    [InlineData(@"C:\Windows\System32\wow64.dll", true)]
    [InlineData(@"C:\WINDOWS\system32\Wow64.dll", true)]
    [InlineData(@"C:\app\notwow64.dll", false)]
    public void A_32_bit_process_is_undecidable(string module, bool expected)
    {
        FakeImage app = new(@"C:\app\app.exe", 0x140000000);
        FakeImage ntdll = new(@"C:\Windows\System32\ntdll.dll", 0x7FF930000000);
        FakeProcess process = new()
        {
            Images = { app, ntdll, new FakeImage(module, 0x7FF920000000) },
            LoaderLock = FakeProcess.Section(ntdll, 0x200, 0, 0),
            Handles = [],
            Threads = { new FakeThread(0x20, [ntdll.Stub("NtDelayExecution"), app.Function("main"), ntdll.Function("RtlUserThreadStart")]) },
        };
        AnalysisResult result = SyntheticAnalysis.Of(process);
        Assert.Empty(result.Verdicts);
        Assert.Equal(expected, SyntheticAnalysis.IsUndecidable(result));
        Assert.Equal(expected, result.Outcomes.Single(o => o.DetectorId == "DUMP9001").Missing.Any(m => m.What.Contains("WoW64", StringComparison.Ordinal)));
    }
}
