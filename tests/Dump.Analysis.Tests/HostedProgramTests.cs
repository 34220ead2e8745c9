using Dump.Model.Process;

namespace Dump.Analysis.Tests;

/// <summary>The program that the host <c>dotnet</c> runs: by the first thread's outermost managed frame.</summary>
public sealed class HostedProgramTests
{
    private static ProcessSnapshot Snapshot(string process, int managedId, params string[] frames) => new SnapshotBuilder()
        .Thread(1, ThreadActivityKind.Waiting, frames).With(t => t with
        {
            ManagedId = managedId,
            Stack = t.Stack with
            {
                Frames = [.. t.Stack.Frames.Select(f => f.Module is "libcoreclr.dll" ? f : f with { Symbol = SymbolSource.Metadata })],
            },
        }).Build() with { ProcessName = process };

    [Theory]
    [InlineData("dotnet", 1, "shop.dll")]
    [InlineData("dotnet.exe", 1, "shop.dll")]
    [InlineData("shop", 1, null)]
    [InlineData("dotnet", 7, null)]
    public void Assembly_of_Main_is_the_program_of_the_host_alone(string process, int managedId, string? expected) =>
        Assert.Equal(expected, Snapshot(process, managedId, "system.private.corelib!System.Threading.Thread.Sleep", "shop!Shop.Main", "libcoreclr!coreclr_main").HostedProgram);

    [Fact]
    public void Thread_without_a_frame_of_the_program_tells_nothing()
    {
        Assert.Null(Snapshot("dotnet", 1, "libcoreclr!coreclr_main").HostedProgram);
        Assert.Null(Snapshot("dotnet", 1, "system.private.corelib!System.Environment.Exit").HostedProgram);
    }
}
