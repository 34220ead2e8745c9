using System.Text.Json;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Fixtures;

namespace Dump.EndToEnd.Tests.Triage;

/// <summary>Stores on the command line: the same overview as of the folder of the same records, copies in all directions, and refusals in one line.</summary>
public sealed class StoreCommandTests(MergeCommandTests.TriagedFixtures triaged) : IClassFixture<MergeCommandTests.TriagedFixtures>, IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("dump-store-command-").FullName;

    private string Store => At("hangs.db");

    [Fact]
    public void Overview_of_a_store_is_that_of_the_folder_of_the_same_records()
    {
        DumpAnalyze copied = DumpAnalyze.Run("merge", triaged.Records, "--into", Store);
        Assert.Equal((0, "6 records added, 0 replaced, 0 there already\n", ""), (copied.ExitCode, copied.Output, copied.Error));
        Assert.Equal("0 records added, 0 replaced, 6 there already\n", DumpAnalyze.Run("merge", triaged.Records, "--into", Store).Output);
        DumpAnalyze expected = DumpAnalyze.Run(["merge", triaged.Records, .. Files("folder")]);
        DumpAnalyze actual = DumpAnalyze.Run(["merge", Store, .. Files("store")]);
        Assert.Equal((expected.ExitCode, expected.Output, expected.Error), (actual.ExitCode, actual.Output, actual.Error));
        Assert.All((string[])["json", "csv", "html", "junit", "sarif"], kind =>
            Assert.Equal(File.ReadAllText(At("folder." + kind)), File.ReadAllText(At("store." + kind))));

        // And back into a folder, byte for byte.
        Assert.Equal(0, DumpAnalyze.Run("merge", Store, "--into", At("back") + "/").ExitCode);
        string[] records = [.. Directory.EnumerateFiles(Path.Combine(triaged.Records, "records"), "*", SearchOption.AllDirectories)];
        Assert.Equal(6, records.Length);
        Assert.All(records, r => Assert.Equal(File.ReadAllBytes(r), File.ReadAllBytes(r.Replace(triaged.Records, At("back"), StringComparison.Ordinal))));
        Assert.Equal(expected.Output, DumpAnalyze.Run("merge", At("back")).Output);
    }

    [Fact]
    public void Triage_writes_to_a_store_and_goes_on_from_there()
    {
        string dumps = Directory.CreateDirectory(At("dumps")).FullName;
        File.Copy(Fixture.Named("loader-exit").Path, Path.Combine(dumps, "a.dmp"));
        DumpAnalyze first = DumpAnalyze.Run("triage", dumps, "--store", Store);
        Assert.True(first.ExitCode == 11, first.Error);
        Assert.Contains($"One page of all: dumpanalyze merge {Store} --html triage.html", first.Output, StringComparison.Ordinal);
        File.Copy(Fixture.Named("cs-cycle2").Path, Path.Combine(dumps, "b.dmp"));
        DumpAnalyze second = DumpAnalyze.Run("triage", dumps, "--store", Store);
        Assert.Equal(10, second.ExitCode);
        Assert.StartsWith("2 dumps, 0 copies of them; 1 had records already", second.Output, StringComparison.Ordinal);
        Assert.Equal(11, DumpAnalyze.Run("triage", dumps, "--out", At("out"), "--include", "a.dmp").ExitCode);
        Assert.Equal(10, DumpAnalyze.Run("triage", dumps, "--out", At("out")).ExitCode);
        Assert.Equal(Overview(At("out")), Overview(Store));

        // SQLite's own files beside a store that was only read are part of it.
        Assert.Equal([dumps, Store, At("out")], Directory.EnumerateFileSystemEntries(_folder)
            .Where(e => !e.EndsWith(".json", StringComparison.Ordinal) && !e.StartsWith(Store + "-", StringComparison.Ordinal)).Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Stores_of_several_machines_become_one()
    {
        string dumps = Directory.CreateDirectory(At("dumps")).FullName;
        File.Copy(Fixture.Named("spin-owner").Path, Path.Combine(dumps, "c.dmp"));
        DumpAnalyze.Run("triage", dumps, "--store", At("one.db"));
        DumpAnalyze.Run("merge", triaged.Records, "--into", At("two.db"));
        Assert.StartsWith("7 records added", DumpAnalyze.Run("merge", At("one.db"), At("two.db"), "--into", Store).Output, StringComparison.Ordinal);
        Assert.Equal(DumpAnalyze.Run("merge", At("one.db"), At("two.db")).Output, DumpAnalyze.Run("merge", Store).Output);
    }

    [Fact]
    public void Largest_groups_have_the_numbers_of_all()
    {
        DumpAnalyze.Run("merge", triaged.Records, "--into", Store);
        DumpAnalyze all = DumpAnalyze.Run("merge", Store), largest = DumpAnalyze.Run("merge", Store, "--largest", "1", "--html", At("largest.html"));
        Assert.Equal(all.ExitCode, largest.ExitCode);
        Assert.Equal(all.Output.Split('\n')[0], largest.Output.Split('\n')[0]);
        Assert.Contains("All numbers count all dumps. The 1 largest finding", largest.Output, StringComparison.Ordinal);
        string page = File.ReadAllText(At("largest.html")), search = File.ReadAllText(At("largest.all.html"));
        Assert.Contains("All numbers count all dumps.", page, StringComparison.Ordinal);
        Assert.Contains("href=\"largest.all.html\"", page, StringComparison.Ordinal);
        Assert.All((string[])["Loader-lock deadlock", "Lock-cycle deadlock"], t => Assert.Contains(t, search, StringComparison.Ordinal));

        // A page that shows all groups needs none beside it.
        DumpAnalyze.Run("merge", Store, "--largest", "100", "--html", At("whole.html"));
        Assert.False(File.Exists(At("whole.all.html")));
        Assert.DoesNotContain("whole.all.html", File.ReadAllText(At("whole.html")), StringComparison.Ordinal);
    }

    [Fact]
    public void Export_has_a_line_for_each_dump_in_the_file_of_its_day()
    {
        DumpAnalyze.Run("merge", triaged.Records, "--into", Store);
        DumpAnalyze export = DumpAnalyze.Run("merge", Store, "--export", At("lake"));
        Assert.True(export.ExitCode == 0, export.Error);
        DumpAnalyze.Run("merge", Store, "--export", At("lake"));
        string[] files = [.. Directory.EnumerateFiles(At("lake"), "*", SearchOption.AllDirectories)];
        Assert.All(files, f => Assert.Matches(@"lake/day=(\d{4}-\d\d-\d\d|unknown)/dumps\.jsonl$", f));
        JsonElement[] lines = [.. files.SelectMany(File.ReadLines).Select(l => JsonDocument.Parse(l).RootElement)];
        Assert.Equal(6, lines.Select(l => l.Member("identity").GetString()).Distinct().Count());
        Assert.Equal(6, lines.Length);
        Assert.Single(lines.Select(l => string.Join(',', l.EnumerateObject().Select(p => p.Name))).Distinct());
        Assert.All(files.Where(f => !f.Contains("unknown", StringComparison.Ordinal)), f => Assert.All(File.ReadLines(f), l =>
            Assert.StartsWith(Path.GetFileName(Path.GetDirectoryName(f)!)["day=".Length..],
                JsonDocument.Parse(l).RootElement.Member("captured").GetString(), StringComparison.Ordinal)));
        Assert.Contains(lines, l => l.Member("answer").GetString() == "confirmed" && l.Member("findings").GetArrayLength() > 0);
    }

    [Theory]
    [InlineData("triage", 3)]
    [InlineData("merge", 3)]
    public void What_is_no_store_is_refused_in_one_line(string command, int exitCode)
    {
        File.WriteAllText(Store, "a text");
        DumpAnalyze run = command == "triage" ? DumpAnalyze.Run("triage", _folder, "--store", Store) : DumpAnalyze.Run("merge", Store);
        Assert.Equal((exitCode, ""), (run.ExitCode, run.Output));
        Assert.Equal($"dumpanalyze: {Store}: this is no store: it does not begin as an SQLite database; name another file\n", run.Error);
        Assert.Equal("a text", File.ReadAllText(Store));
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static string Overview(string place)
    {
        string file = place.TrimEnd('/') + ".overview.json";
        DumpAnalyze.Run("merge", place, "--json", file);
        return File.ReadAllText(file);
    }

    private string At(string name) => Path.Combine(_folder, name);

    private string[] Files(string name) =>
        [.. ((string[])["json", "csv", "html", "junit", "sarif"]).SelectMany(kind => new[] { "--" + kind, At($"{name}.{kind}") })];
}
