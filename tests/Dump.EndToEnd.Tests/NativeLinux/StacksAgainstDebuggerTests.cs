using System.Globalization;
using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Live;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.NativeLinux;

/// <summary>Native stacks of Linux processes, frame by frame beside those of gdb on the same core.</summary>
[SupportedOSPlatform("linux")]
public sealed class StacksAgainstDebuggerTests : IDisposable
{
    private const string Debugger = "/usr/bin/gdb";
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-native-stacks-").FullName;

    [SkippableTheory]
    [InlineData("mutex-cycle2")]
    [InlineData("load")]
    [InlineData("stream-cycle")]
    public void Frames_are_those_of_the_debugger(string scene)
    {
        Skip.If(NativeLinuxLab.Unavailable is not null, NativeLinuxLab.Unavailable);
        Skip.IfNot(File.Exists(Debugger), "needs gdb");
        using LiveScene running = NativeLinuxLab.Start(scene);
        AssertFramesAreTheirs(running, NativeLinuxLab.Program);
    }

    /// <summary>Code without tables for exceptions: its frames are walked by what compilers write for debuggers alone.</summary>
    [SkippableTheory]
    [InlineData("normal-cycle")]
    [InlineData("join-under-lock")]
    public void Frames_without_tables_are_those_of_the_debugger(string scene)
    {
        Skip.If(NativeLinuxLab.CUnavailable is not null, NativeLinuxLab.CUnavailable);
        Skip.IfNot(File.Exists(Debugger), "needs gdb");
        using LiveScene running = NativeLinuxLab.StartProgram(scene, NativeLinuxLab.ProgramWithoutTables);
        string[] functions = AssertFramesAreTheirs(running, NativeLinuxLab.ProgramWithoutTables);
        Assert.Contains("take_second", functions);
        Assert.Contains("main", functions);
    }

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    /// <summary>Gives the names of all functions on the stacks.</summary>
    private string[] AssertFramesAreTheirs(LiveScene running, string program)
    {
        string core = Path.Combine(_directory, "core");
        LiveLook.At(running, "--keep", core);
        Dictionary<uint, ulong[]> theirs = DebuggerFrames.Of(Debugger, core, program);
        JsonElement threads = JsonDocument.Parse(DumpAnalyze.Run("threads", core, "--format", "json").Output).RootElement.Member("threads");
        Assert.Equal(theirs.Keys.Order(), threads.EnumerateArray().Select(t => t.Member("id").GetUInt32()).Order());
        foreach (JsonElement thread in threads.EnumerateArray())
        {
            ulong[] ours =
            [
                .. thread.Member("frames").EnumerateArray()
                    .Select(f => ulong.Parse(f.Member("instructionPointer").GetString().AsSpan(2), NumberStyles.HexNumber, CultureInfo.InvariantCulture)),
            ];
            Assert.NotEmpty(ours);
            Assert.Equal(theirs[thread.Member("id").GetUInt32()], ours);
        }

        return
        [
            .. threads.EnumerateArray().SelectMany(t => t.Member("frames").EnumerateArray())
                .Select(f => f.TryGetProperty("function", out JsonElement name) ? name.GetString() ?? "" : ""),
        ];
    }
}
