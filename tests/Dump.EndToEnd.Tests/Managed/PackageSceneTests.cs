using System.Runtime.Versioning;
using System.Text;
using Dump.EndToEnd.Tests.Live;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Model.Reported;
using Dump.Model.Wording;
using Dump.Reports.Json;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>
/// Programs that hang inside of Quartz, EF Core with SQLite, Serilog, and librdkafka: the program's own method is what a report says to look at first, with
/// the line of
/// its call, however many frames of packages are further in.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class PackageSceneTests : IDisposable
{
    private const string Namespace = "managed-hang-packages!Dump.Samples.Managed.Packages.";
    private readonly string _folder = Directory.CreateTempSubdirectory("dump-packages-").FullName;

    [SkippableTheory]
    [InlineData("quartz", "QuartzScene.cs", "StopJob.Execute")]
    [InlineData("sqlite", "SqliteScene.cs", "SqliteScene.PlaceOrder")]
    [InlineData("serilog", "SerilogScene.cs", "OrderFormatter.Format", "SerilogScene.Cancel")]
    [InlineData("kafka", "KafkaScene.cs", "KafkaScene.Consume")]
    public void Method_of_the_program_is_what_to_look_at_first(string scene, string file, params string[] methods)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        string core = Path.Combine(_folder, "core");
        string[] expected = [.. methods.Select(m => $"{Namespace}{m} {file}:{Line(file, m)}")];
        using LiveScene running = PackageLab.Start(scene, _folder);
        DumpAnalyze living = DumpAnalyze.Run("live", $"{running.ProcessId}", "--format", "json", "--keep", core);
        Assert.Equal(expected, LookedAt(living, expected.Length));
        LiveLook.AssertGoesOn(running);
        Assert.Equal(expected, LookedAt(DumpAnalyze.Run(core, "--format", "json"), expected.Length));
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static int Line(string file, string method) => 1 + Array.FindIndex(
        File.ReadAllLines(Path.Combine(Repository.Root, "samples", "managed-packages", file)), l => l.Contains($"// {method} waits here", StringComparison.Ordinal));

    /// <summary>The first places of the verdict; where there is none, of what leaves the answer open.</summary>
    private static string[] LookedAt(DumpAnalyze run, int count)
    {
        Assert.True(run.Output.Length > 0, run.Error);
        HangReport report = JsonReportReader.Read(Encoding.UTF8.GetBytes(run.Output));
        return
        [
            .. report.Verdicts.SelectMany(v => v.LookAt).Select(p => (p.Code, p.Source))
                .Concat(report.Verdicts.IsEmpty ? report.OpenWaits.Select(w => w.LookAt).OfType<ReportedFrame>().Select(FrameWords.Own) : [])
                .Select(p => $"{p.Code} {p.Source?.Text}").Take(count),
        ];
    }
}
