using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Extension;

/// <summary>The extension on real dumps of .NET processes, and on running processes that it only looks at.</summary>
public sealed class ExtensionTargetTests : IDisposable
{
    private const string Version = "2.0.0";
    private readonly ManagedWineLab _lab = new();

    [SkippableFact]
    public void Running_process_is_read_through_a_snapshot_that_leaves_nothing_behind()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        // A new engine is made when its snapshot has been written: there the last interrupt strikes.
        string[] commands = ["!verdict", "!lockchain -all", "@interrupt 20", "!verdict", "@interrupt 60", "!verdict", .. ExtensionLab.Shipped.Anew,
            "@interrupt engine", "!verdict", "@processes"];
        (IReadOnlyList<string> outputs, LabDump sample) = ExtensionLab.Shipped.RunOnProcess(["cs-cycle2"], isStopped: false, commands);
        Assert.Contains("DUMP1002 Lock-cycle deadlock (Confirmed)", outputs[0], StringComparison.Ordinal);
        Assert.Equal(3, sample.Threads.Count);
        Assert.All(sample.Threads.Where(t => t.Key != "main").SelectMany(t => t.Value), id =>
            Assert.Contains($"(0x{id:x})", outputs[0], StringComparison.Ordinal));
        Assert.Contains("a cycle of 2 threads: the chain leads back into itself", outputs[1], StringComparison.Ordinal);

        // The first two interrupts may strike while the debugger writes the snapshot, while the engine reads it, or too late; the last one strikes the engine.
        Assert.All([outputs[3], outputs[5]], o => Assert.True(IsInterrupted(o) || o.Contains("DUMP1002", StringComparison.Ordinal), o));
        Assert.Equal("dumpext: interrupted; the engine was ended\n", outputs[^2]);
        Assert.Equal("0 processes\n", outputs[^1]);
        LeftSnapshots.AssertNone();
    }

    [SkippableFact]
    [Trait("Category", "Slow")]
    public void Broken_dictionary_of_a_real_process_is_found_and_a_long_search_can_be_interrupted()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        Skip.If(ManagedWineLab.Unavailable is not null, ManagedWineLab.Unavailable);
        (string? runtime, string? unavailable) = ManagedWineLab.Runtime(Version);
        Skip.If(unavailable is not null, unavailable);
        LabDump dump = _lab.Dump(Version, "dictionary-spin");
        string dac = $"-dac \"{WineLab.WindowsPath(runtime!)}\"";

        // The engine that has answered is stopped before it is asked again: a search that is as short as this one's could otherwise be over first.
        IReadOnlyList<string> outputs = ExtensionLab.Shipped.Run(dump.Path, $"!dictloop {dac}", $"!verdict {dac}", "@interrupt engine",
            $"!dictloop -heap {dac}", "@processes", "!dictloop rip", "!dictloop nonsense!!");
        Assert.Contains("DUMP3001 Cycle in a collection (Confirmed)", outputs[1], StringComparison.Ordinal);
        Assert.Equal(ManagedWineLab.RunProgram(dump.Path, "--dac", WineLab.WindowsPath(runtime!)).ReplaceLineEndings("\n"), outputs[1]);
        Assert.Contains("cycle", outputs[0], StringComparison.Ordinal);
        Assert.Equal("dumpext: interrupted; the engine was ended\n", outputs[3]);
        Assert.Equal("0 processes\n", outputs[4]);
        Assert.StartsWith("dumpext: the debugger cannot evaluate", outputs[6], StringComparison.Ordinal);
    }

    public void Dispose() => _lab.Dispose();

    private static bool IsInterrupted(string output) =>
        output.StartsWith("dumpext: interrupted", StringComparison.Ordinal)
            || output.StartsWith("dumpext: the debugger could not write a snapshot", StringComparison.Ordinal);
}
