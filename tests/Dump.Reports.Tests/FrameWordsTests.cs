using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Wording;

namespace Dump.Reports.Tests;

/// <summary>A frame is named as far as it is known, and no further.</summary>
public sealed class FrameWordsTests
{
    [Theory]
    [InlineData("ntdll.dll", "NtYieldExecution", 0x14UL, 0x9d644UL, "ntdll!NtYieldExecution+0x14")]
    [InlineData("ntdll.dll", "NtYieldExecution", 0UL, 0x9d630UL, "ntdll!NtYieldExecution")]
    [InlineData("System.Private.CoreLib.dll", "System.Threading.WaitHandle.WaitOneNoCheck", null, null,
        "system.private.corelib!System.Threading.WaitHandle.WaitOneNoCheck")]
    [InlineData("app.dll", null, null, 0x1234UL, "app+0x1234")]
    [InlineData("app.dll", null, null, null, "0x7fdd9008bb7b")]
    [InlineData(null, null, null, null, "0x7fdd9008bb7b")]
    public void Frame_is_described_by_what_is_known(string? module, string? function, ulong? functionOffset, ulong? moduleOffset, string expected)
    {
        ReportedFrame frame = new(4, module, function, functionOffset, moduleOffset, FrameTrust.UnwindInfo) { InstructionPointer = 0x7fdd9008bb7b,
            StackPointer = 0x7f9cc17f9a90 };
        Assert.Equal($"  4  7f9cc17f9a90  {expected}", FrameWords.Numbered(frame));
    }

    [Theory]
    [InlineData(@"C:\build\Shop\Orders.cs", 118, false, "shop!Shop.Orders.Add+0x20 Orders.cs:118")]
    [InlineData("/src/Shop/Orders.cs", 118, true, "shop!Shop.Orders.Add+0x20 Orders.cs:~118")]
    [InlineData("Orders.cs", 1, false, "shop!Shop.Orders.Add+0x20 Orders.cs:1")]
    public void Line_stands_behind_the_function(string file, int line, bool isApproximate, string expected)
    {
        ReportedFrame frame = new(0, "Shop.dll", "Shop.Orders.Add", 0x20, null, FrameTrust.UnwindInfo)
        {
            StackPointer = 0x7f9cc17f9a90,
            Source = new SourceLocation(file, line) { IsApproximate = isApproximate },
        };
        Assert.Equal($"  0  7f9cc17f9a90  {expected}", FrameWords.Numbered(frame));
    }
}
