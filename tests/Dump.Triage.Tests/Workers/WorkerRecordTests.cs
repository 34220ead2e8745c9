using System.Runtime.Versioning;
using System.Text;
using Dump.Testing.Lab;
using Dump.Testing.Renaming;
using Dump.Testing.Triage;
using Dump.Triage.Children;
using Dump.Triage.Discovery;
using Dump.Triage.Records;
using Dump.Triage.Runs;

namespace Dump.Triage.Tests.Workers;

/// <summary>What a worker says of a dump is what a process says that is started for it alone, byte for byte, whatever it has read before.</summary>
public sealed class WorkerRecordTests : IDisposable
{
    private static readonly string[] s_scenes = ["monitor-cycle2", "dictionary-cycle", "sync-over-async-context", "idle"];
    private readonly TriageFolder _folder = new();

    [Fact]
    public void Records_of_a_mixed_folder_do_not_depend_on_what_was_read_before()
    {
        MixedFolder.Make(_folder.Dumps, isLarge: false, MixedDumps.All);
        AssertSameInAnyOrder(orders: 3);
    }

    [SkippableFact]
    [Trait("Category", "Slow")]
    [SupportedOSPlatform("linux")]
    public void Records_of_200_dumps_and_cores_do_not_depend_on_what_was_read_before()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "cores are made on Linux only");
        Skip.IfNot(LinuxLab.Unavailable is null, LinuxLab.Unavailable);
        Skip.IfNot(NativeLinuxLab.Unavailable is null, NativeLinuxLab.Unavailable);
        string? other = PrivateRuntimes.Shared.Add("8.0.0");
        Skip.If(other is null, "the package of .NET 8.0.0 is not here");
        MixedFolder.Make(_folder.Dumps, isLarge: true, MixedDumps.All);
        using LinuxLab lab = new();
        foreach ((int i, string scene) in s_scenes.Index())
        {
            string core = lab.Dump(scene).Path;
            PermutedCore.Write(core, _folder.At("cores", $"{scene}.core"), new Random(i));
            File.Copy(core, _folder.At("cores", $"{scene}-cut.core"));
            using FileStream cut = File.OpenWrite(_folder.At("cores", $"{scene}-cut.core"));
            cut.SetLength(cut.Length * (i + 3) / 8);
        }

        foreach (string scene in (string[])["monitor-cycle2", "monitor-unrelated"])
        {
            string older = lab.DumpOn(scene, "8.0.0", other!).Path;
            PermutedCore.Write(older, _folder.At("cores", $"{scene}-8.core"), new Random(8));
        }

        string native = Directory.CreateDirectory(_folder.At("native", "x")).Parent!.FullName;
        Directory.Delete(_folder.At("native", "x"));
        NativeLinuxLab.CoreByKernel("mutex-cycle2", native);
        AssertSameInAnyOrder(orders: 3, "--dac", other!);
    }

    public void Dispose() => _folder.Dispose();

    private void AssertSameInAnyOrder(int orders, params string[] arguments)
    {
        TriageOptions options = new()
        {
            Inputs = [_folder.Dumps], Output = _folder.Output, Program = TriageFolder.RealWorkers, AnalysisArguments = [.. arguments],
            Timeout = TimeSpan.FromMinutes(10),
        };
        FoundDump[] dumps = [.. new DumpFinder(options, new RunWarnings(), null, CancellationToken.None).Find()];
        Dictionary<string, string> fresh = Records(options with { IsFresh = true }, dumps);
        Assert.Equal(dumps.Length, fresh.Count);
        for (int seed = 1; seed <= orders; seed++)
        {
            FoundDump[] order = [.. dumps];
            new Random(seed).Shuffle(order);
            Dictionary<string, string> records = Records(options, order);
            Assert.All(order, d => Assert.Equal(fresh[d.Identity], records[d.Identity]));
        }
    }

    private static Dictionary<string, string> Records(TriageOptions options, IEnumerable<FoundDump> dumps)
    {
        Dictionary<string, string> records = [];
        using WorkFolder work = new(options.Output, "test", UnpackLimits.Default with { FreeDisk = 0 });
        DumpAnalysis analysis = new(options, work, "a test");
        using WorkerCrew crew = analysis.Crew();
        foreach (FoundDump dump in dumps)
        {
            analysis.Run(dump, crew, record => records[dump.Identity] = Text(record with { Timing = null }), CancellationToken.None);
        }

        return records;
    }

    private static string Text(RecordContent record)
    {
        using MemoryStream json = new();
        RecordJson.Write(json, record);
        return Encoding.UTF8.GetString(json.ToArray());
    }
}
