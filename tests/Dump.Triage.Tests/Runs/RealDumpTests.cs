using System.Diagnostics;
using System.Text.Json;
using Dump.Model.Merging;
using Dump.Testing;
using Dump.Testing.Fixtures;
using Dump.Triage.Records;

namespace Dump.Triage.Tests.Runs;

/// <summary>The committed dumps, and files that are none, through the program itself.</summary>
public sealed class RealDumpTests : IDisposable
{
    private readonly TriageFolder _folder = new();

    [Fact]
    public void Records_say_what_the_program_says_of_each_dump()
    {
        _folder.Fixture("cs-cycle2", "a/cycle.txt");
        _folder.Fixture("loader-exit-healthy", "b/healthy.dmp");
        _folder.Fixture("spin-owner", "spin.dmp");
        byte[] cut = File.ReadAllBytes(Fixture.Named("loader-exit").Path)[..30];
        File.WriteAllBytes(_folder.At("cut.dmp"), cut);
        File.WriteAllText(_folder.At("text.dmp"), "this is no dump\n");
        File.WriteAllText(_folder.At("empty.dmp"), "");
        File.WriteAllText(_folder.At("readme.txt"), "this is no dump\n");

        TriageRecords records = _folder.Run(TriageFolder.Real);

        Assert.Empty(records.Warnings);
        Assert.Equal(
            [
                ("a/cycle.txt", TriageOutcome.Analysed), ("b/healthy.dmp", TriageOutcome.Analysed), ("cut.dmp", TriageOutcome.Unreadable),
                    ("empty.dmp", TriageOutcome.Unreadable),
                ("spin.dmp", TriageOutcome.Analysed), ("text.dmp", TriageOutcome.Unreadable),
            ],
            records.Records.Select(r => (r.Source.Path, r.Outcome)));
        Assert.Equal("DUMP1002", Assert.Single(records.Records[0].Report!.Verdicts).DetectorId);
        Assert.Empty(records.Records[1].Report!.Verdicts);
        Assert.Contains("empty file", records.Records[3].Reason, StringComparison.Ordinal);
        Assert.Contains("a text file", records.Records[5].Reason, StringComparison.Ordinal);
        Assert.Equal((3, 1), (_folder.Summary!.Counts.Failed, _folder.Summary.Counts.Confirmed));
        Assert.All(records.Records, r => Assert.DoesNotContain(_folder.Dumps, File.ReadAllText(RecordFiles.PathOf(_folder.Output, r.Identity)),
            StringComparison.Ordinal));
    }

    [Fact]
    public void Report_in_a_record_is_the_one_that_the_program_prints()
    {
        string dump = _folder.Fixture("diamond", "diamond.dmp");
        TriageRecord record = Assert.Single(_folder.Run(TriageFolder.Real).Records);
        using var direct = Process.Start(new ProcessStartInfo("dotnet", [TriageFolder.Real.Arguments[0], dump, "--format", "json"]) { RedirectStandardOutput =
            true })!;
        using var printed = JsonDocument.Parse(direct.StandardOutput.ReadToEnd());
        direct.WaitForExit();
        using var stored = JsonDocument.Parse(File.ReadAllText(RecordFiles.PathOf(_folder.Output, record.Identity)));
        Assert.True(JsonElement.DeepEquals(printed.RootElement, stored.RootElement.Member("report")));
        Assert.Equal(direct.ExitCode, record.ExitCode);
    }

    [SkippableFact]
    public void Records_and_summary_follow_the_schema()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "the stand-in for the analysis is a shell script");
        _folder.Fixture("diamond", "a.dmp");
        File.Copy(_folder.At("a.dmp"), _folder.At("b.dmp"));
        File.CreateSymbolicLink(_folder.At("dangling"), _folder.At("nothing"));
        File.WriteAllBytes(_folder.At("packed"), [0x28, 0xB5, 0x2F, 0xFD]);
        _folder.Run(TriageFolder.Real);
        _folder.Pretend("c.dmp", 1);
        _folder.Run(TriageFolder.Script("sleep 300"), o => o with { Timeout = TimeSpan.FromSeconds(1) });
        _folder.Pretend("d.dmp", 2);
        _folder.Run(TriageFolder.Script("kill -KILL $$"));
        string[] records = Directory.GetFiles(Path.Combine(_folder.Output, RecordFiles.Folder), "*.json", SearchOption.AllDirectories);
        Assert.Equal(3, records.Length);
        foreach (string json in records.Select(File.ReadAllText).Append(File.ReadAllText(Path.Combine(_folder.Output, "summary.json"))))
        {
            Assert.Empty(JsonSchemaCheck.Errors(json));
            using var document = JsonDocument.Parse(json);
            if (document.RootElement.TryGetProperty("report", out JsonElement report) && report.ValueKind == JsonValueKind.Object)
            {
                Assert.Empty(JsonSchemaCheck.Errors(report.GetRawText()));
            }
        }
    }

    [SkippableFact]
    public void Terabytes_of_holes_are_a_record_soon()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "files with holes are made on Linux only");
        string path = _folder.At("holes.dmp");
        File.Copy(Fixture.Named("diamond").Path, path);
        using (FileStream file = new(path, FileMode.Open, FileAccess.ReadWrite))
        {
            file.SetLength(4L << 40);
        }

        // To read the holes would take longer than that on any machine.
        TriageRecord record = Assert.Single(_folder.Run(TriageFolder.Real, o => o with { Timeout = TimeSpan.FromMinutes(5) }).Records);
        Assert.Equal(TriageOutcome.Analysed, record.Outcome);
    }

    public void Dispose() => _folder.Dispose();
}
