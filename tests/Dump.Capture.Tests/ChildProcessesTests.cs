using System.Diagnostics;
using System.Runtime.Versioning;
using Dump.Capture.Proc;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Capture.Tests;

/// <summary>Children of this very process, as <c>/proc</c> tells of them; nothing is traced.</summary>
[SupportedOSPlatform("linux")]
public sealed class ChildProcessesTests
{
    [SkippableFact]
    public void Child_has_its_name()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        using Process child = Cat();
        try
        {
            Assert.Equal("'cat'", StateOf((ulong)child.Id).Split(',')[0]);
            Assert.Contains($"{child.Id} 'cat'", StateOf(0), StringComparison.Ordinal);
            AwaitedProcess awaited = Assert.Single(OtherEnds.Of(Snapshot((ulong)child.Id)));
            Assert.Equal((child.Id, "cat", "thread 1 waits for its end"), (awaited.Id, awaited.Name, awaited.Why));
        }
        finally
        {
            child.Kill();
            child.WaitForExit();
        }

        Assert.Equal("no child process of this one has that id", StateOf((ulong)child.Id));
    }

    [Theory]
    [InlineData('S', "'cat'")]
    [InlineData('Z', "'cat', which has ended")]
    [InlineData('T', "'cat', which is stopped")]
    [InlineData('R', "'cat', which runs")]
    public void Words_say_what_it_does(char state, string expected) => Assert.Equal(
        expected, ChildProcesses.Words(new TaskStat("cat", state, TimeSpan.Zero, TimeSpan.Zero, TimeSpan.Zero, 1, 1, 1)));

    [SkippableFact]
    public void Reader_of_a_pipe_waits_for_its_writer()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        using Process child = Cat();
        try
        {
            ProcessSnapshot snapshot = Snapshot(0) with { ProcessId = (uint)child.Id };
            snapshot = snapshot with { Waits = [snapshot.Waits[0] with { Resource = new Resource(ResourceKind.FileDescriptor, 0) }] };

            // The writer is this very process, which looks at itself in no case.
            Assert.Empty(OtherEnds.Of(snapshot));
        }
        finally
        {
            child.Kill();
            child.WaitForExit();
        }
    }

    private static Process Cat() => Process.Start(new ProcessStartInfo("cat") { RedirectStandardInput = true })!;

    private static string StateOf(ulong child) => ChildProcesses.Describe(Snapshot(child), Environment.ProcessId).ResourceStates.Values.Single();

    private static ProcessSnapshot Snapshot(ulong child) => new()
    {
        Source = new SourceDescription("process", "living", null, null, null),
        System = new SystemDescription(ProcessorArchitecture.X64, 6, 1, 0, null, false, "Linux"),
        ProcessId = (uint)Environment.ProcessId,
        Available = DataAvailability.All,
        Waits =
        [
            new WaitFact(1, new Resource(ResourceKind.ChildProcess, child), WaitTimeout.Infinite, Grade.Proven, [new Evidence(EvidenceSource.Register, "rdi")]),
        ],
    };
}
