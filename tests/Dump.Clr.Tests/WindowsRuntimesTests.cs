using Dump.Model.Process;

namespace Dump.Clr.Tests;

/// <summary>The managed half of a Windows dump is missing only where a thread may wait for something managed.</summary>
public sealed class WindowsRuntimesTests
{
    [Theory]
    [InlineData("NtRemoveIoCompletion", false)]
    [InlineData("NtWaitForWorkViaWorkerFactory", false)]
    [InlineData("NtAlpcSendWaitReceivePort", false)]
    [InlineData("NtUserMsgWaitForMultipleObjectsEx", true)]
    public void Threads_that_wait_for_new_work_need_none(string call, bool isMissing) =>
        Assert.Equal(isMissing, !WindowsRuntimes.StateMissing(Process(new ThreadActivity(ThreadActivityKind.Idle, call, []))).Missing.IsEmpty);

    [Theory]
    [InlineData(ThreadActivityKind.Waiting)]
    [InlineData(ThreadActivityKind.Running)]
    [InlineData(ThreadActivityKind.Unknown)]
    public void Any_other_thread_may_be_inside_managed_code(ThreadActivityKind kind) =>
        Assert.NotEmpty(WindowsRuntimes.StateMissing(Process(new ThreadActivity(kind, null, []), new ThreadActivity(ThreadActivityKind.Idle, "NtRemoveIoCompletion", []))).Missing);

    [Fact]
    public void Native_process_lacks_nothing()
    {
        ProcessSnapshot process = Process(new ThreadActivity(ThreadActivityKind.Waiting, null, []));
        Assert.Empty(WindowsRuntimes.StateMissing(process with { Modules = [] }).Missing);
    }

    private static ProcessSnapshot Process(params ThreadActivity[] activities) => new()
    {
        Source = new SourceDescription("test", "by hand", null, null, null),
        System = new SystemDescription(ProcessorArchitecture.X64, 10, 0, 26200, 4, false, "Windows 10.0.26200 x64"),
        Available = DataAvailability.All,
        Threads = [.. activities.Select((a, i) => new ThreadSnapshot { Id = (uint)(i + 1), Index = i, Activity = a })],
        Modules = [new ModuleSnapshot("clr.dll", @"C:\Windows\clr.dll", 0x7FF0_0000, 0x10_0000, 1, null, true)],
    };
}
