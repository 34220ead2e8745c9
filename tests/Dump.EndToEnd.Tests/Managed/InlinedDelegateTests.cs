using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Live;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>
/// A starved pool in code that has run for a while: the lambda of the tasks has no frame, for the runtime has compiled it into the class library's method that
/// calls it.
/// It is named by the task that each thread runs.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class InlinedDelegateTests : IDisposable
{
    private const string Lambda = "managed-hang-inlined!Dump.Samples.Managed.Inlined.Program.Work.lambda";
    private readonly string _folder = Directory.CreateTempSubdirectory("dump-inlined-").FullName;

    [SkippableFact]
    public void Lambda_without_a_frame_is_named_by_the_task()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene scene = LinuxLab.StartInlined();
        foreach ((int exitCode, JsonElement report) in LiveLook.WithCore(scene, _folder))
        {
            Assert.Contains(exitCode, (int[])[11, 12]);
            JsonElement verdict = Assert.Single(report.Member("verdicts").EnumerateArray());
            Assert.Equal("DUMP1007", verdict.Member("id").GetString());
            Assert.Contains(verdict.Member("claims").EnumerateArray(), c => c.Member("text").GetString() == $"12 of them block in {Lambda}.");
            Assert.All(verdict.Member("lookAt").EnumerateArray(), p => Assert.Equal(Lambda, p.Member("code").GetString()));
            JsonElement[] frames = [.. verdict.Member("stacks")[0].Member("frames").EnumerateArray()];
            JsonElement inlined = Assert.Single(frames, f => f.TryGetProperty("inlinedDelegate", out JsonElement flag) && flag.GetBoolean());
            JsonElement caller = frames[inlined.Member("index").GetInt32() + 1];
            Assert.StartsWith("System.Threading.", caller.Member("function").GetString(), StringComparison.Ordinal);
            Assert.Equal(caller.Member("stackPointer").GetString(), inlined.Member("stackPointer").GetString());
        }

        Assert.Empty(JsonSchemaCheck.Errors(DumpAnalyze.Run(Path.Combine(_folder, "core"), "--format", "json").Output));
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);
}
