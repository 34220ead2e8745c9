using System.Diagnostics;
using System.IO.Pipes;
using System.Runtime.Versioning;
using Dump.Capture.Proc;

namespace Dump.Capture.Tests;

/// <summary>The ends of pipes of real processes: this one, which has both, and a child that has one.</summary>
[SupportedOSPlatform("linux")]
public sealed class PipeEndsTests
{
    [SkippableFact]
    public void Other_end_in_the_same_process_is_named_by_its_descriptor()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        using AnonymousPipeServerStream writing = new(PipeDirection.Out);
        int reader = writing.ClientSafePipeHandle.DangerousGetHandle().ToInt32(), writer = writing.SafePipeHandle.DangerousGetHandle().ToInt32();
        string file = ProcFile.Link($"/proc/self/fd/{reader}")!;
        Assert.True(PipeEnds.IsPipe(file));
        PipeEnds ends = new(Environment.ProcessId);
        Assert.Equal($"; written by this process itself as well: file descriptor {writer}", ends.OthersOf(file, (ulong)reader));
        Assert.Equal($"; read by this process itself as well: file descriptor {reader}", ends.OthersOf(file, (ulong)writer));
        Assert.Equal("", ends.OthersOf(file, 1_000_000));
    }

    [SkippableFact]
    public void Pipe_whose_other_end_is_elsewhere_says_so()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        using Process child = Process.Start(new ProcessStartInfo("cat") { RedirectStandardInput = true })!;
        try
        {
            string file = ProcFile.Link($"/proc/{child.Id}/fd/0")!;
            Assert.Equal("; no writer of it is in this process", new PipeEnds(child.Id).OthersOf(file, 0));
        }
        finally
        {
            child.Kill();
            child.WaitForExit();
        }
    }
}
