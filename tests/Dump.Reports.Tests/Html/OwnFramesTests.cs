using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Reports.Html.Elements;

namespace Dump.Reports.Tests.Html;

/// <summary>Which frame names a group of dumps: the program's, not the runtime's or the system's.</summary>
public sealed class OwnFramesTests
{
    private static readonly HangReport s_report = new()
    {
        Source = new ReportedSource("a.dmp", "Windows minidump", null, null, null),
        Modules = [new ReportedModule("ntdll.dll", null, null, true), new ReportedModule("shop.dll", null, null, false),
            new ReportedModule("Systematic.dll", null, null, false)],
    };

    private static ReportedStack Stack(params string[] frames) =>
        new(1, null, [.. frames.Select((f, i) => new ReportedFrame(i, f.Split('!')[0], f.Split('!')[1], 0, 0, FrameTrust.UnwindInfo))]);

    [Theory]
    [InlineData("shop!Order", "ntdll!NtWaitForSingleObject", "system.private.corelib!System.Threading.Monitor.Enter", "shop!Order")]
    [InlineData("shop!Order", "libcoreclr.so!Wait", "System.Net.Http.dll!System.Net.Http.HttpClient.Send", "shop!Order")]
    [InlineData("shop!Order", "ntdll!NtWaitForSingleObject", "shop!std::mutex::lock", "shop!std::unique_lock<std::mutex>::lock", "shop!Order")]
    [InlineData("systematic!Run", "ntdll!NtDelayExecution", "systematic!Run", "shop!Order")]
    [InlineData("microsoft.office!Run", "Microsoft.Extensions.Hosting.dll!Host.Run", "microsoft.office!Run", "shop!Order")]
    public void Innermost_frame_of_the_program_is_taken(string expected, params string[] frames) =>
        Assert.Equal(expected, new OwnFrames(s_report).Innermost(Stack(frames)) is { } frame ? $"{frame.Module}!{frame.Function}" : null);

    [Fact]
    public void Stack_of_the_runtime_alone_has_none() =>
        Assert.Null(new OwnFrames(s_report).Innermost(Stack("ntdll!NtWaitForSingleObject", "coreclr.dll!ThreadStart",
            "mscorlib.dll!System.Threading.Thread.Start")));
}
