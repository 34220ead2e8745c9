using System.Text.Json;
using System.Xml.Linq;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Fixtures;

namespace Dump.EndToEnd.Tests.Triage;

/// <summary>
/// <c>dumpanalyze merge</c> on records of real fixtures: groups, the user's rules without reading a dump again, files, exit codes, damaged records.
/// </summary>
public sealed class MergeCommandTests(MergeCommandTests.TriagedFixtures triaged) : IClassFixture<MergeCommandTests.TriagedFixtures>
{
    private const string Issues = """
        {"schema":"known-issues/1","issues":[{"id":"ours","title":"Our own note","explanation":"Seen before.","detectors":["DUMP1001"],"frames":[{"modules":["mathplug.dll"]}]}]}
        """;

    private const string Tags = """<Tag Name=""><Tag Name="Maths" Priority="99"><Entrypoint Module="mathplug.dll" Method="*"/></Tag></Tag>""";

    [Fact]
    public void Text_has_each_hang_once_with_its_dumps_and_what_cannot_be_decided()
    {
        DumpAnalyze run = DumpAnalyze.Run("merge", triaged.Records);
        Assert.Equal(10, run.ExitCode);
        Assert.StartsWith("6 dumps, 3 with a verdict (2 different hangs), 1 in which nothing was found, 1 that cannot be decided, 1 not analysed\n", run.Output,
            StringComparison.Ordinal);
        Assert.Single(run.Output.Split('\n'), l => l.StartsWith("2 dumps    DUMP1001 Loader-lock deadlock (Likely)", StringComparison.Ordinal));
        Assert.Contains("waits for SpinLock: mathplug!mathplug_lock < mathplug!mathplug_free_buffers < mathplug!? < LdrShutdownThread", run.Output,
            StringComparison.Ordinal);
        Assert.Contains("Capture: procdump -ma PID", run.Output, StringComparison.Ordinal);
        Assert.Contains("broken.dmp: unreadable:", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain('\u001b', run.Output);
        Assert.Empty(run.Error);
    }

    [Fact]
    public void Rules_of_the_user_apply_to_stored_records()
    {
        Assert.Empty(Directory.GetFiles(triaged.Folder, "*.dmp"));
        string plain = DumpAnalyze.Run("merge", triaged.Records).Output;
        Assert.DoesNotContain("Our own note", plain, StringComparison.Ordinal);
        string ruled = DumpAnalyze.Run("merge", triaged.Records, "--known-issues", triaged.Write("issues.json", Issues), "--stacktags",
            triaged.Write("own.stacktags", Tags)).Output;
        Assert.Contains("  known: Our own note. Seen before.", ruled, StringComparison.Ordinal);
        Assert.Contains("  tags: Maths\n", ruled, StringComparison.Ordinal);
    }

    [Fact]
    public void Same_records_from_two_folders_count_once() =>
        Assert.Equal(DumpAnalyze.Run("merge", triaged.Records).Output, DumpAnalyze.Run("merge", triaged.Records, triaged.Records).Output);

    [Fact]
    public void Files_are_written_and_agree_with_the_text()
    {
        string[] names = ["html", "csv", "json", "junit", "sarif"];
        DumpAnalyze run = DumpAnalyze.Run(["merge", triaged.Records, .. names.SelectMany(n => new[] { $"--{n}", triaged.File("merged." + n) })]);
        Assert.Equal(10, run.ExitCode);
        Assert.StartsWith("<!DOCTYPE html>", File.ReadAllText(triaged.File("merged.html")), StringComparison.OrdinalIgnoreCase);
        Assert.Equal(7, File.ReadAllLines(triaged.File("merged.csv")).Length);
        Assert.Empty(JsonSchemaCheck.Errors(File.ReadAllText(triaged.File("merged.json"))));
        Assert.Equal(2, JsonDocument.Parse(File.ReadAllText(triaged.File("merged.json"))).RootElement.Member("hangs").GetArrayLength());
        Assert.Equal("testsuites", XDocument.Load(triaged.File("merged.junit")).Root!.Name.LocalName);
        Assert.Equal("2.1.0", JsonDocument.Parse(File.ReadAllText(triaged.File("merged.sarif"))).RootElement.Member("version").GetString());
    }

    [Fact]
    public void Damaged_record_is_a_warning_and_the_rest_counts()
    {
        string copy = triaged.CopyRecords("damaged");
        string record = Directory.GetFiles(Path.Combine(copy, "records"), "*.json", SearchOption.AllDirectories).Order(StringComparer.Ordinal).First();
        File.WriteAllText(record, File.ReadAllText(record)[..200]);
        File.WriteAllText(Path.Combine(Path.GetDirectoryName(record)!, "stranger.json"), "{}");
        DumpAnalyze run = DumpAnalyze.Run("merge", copy);
        Assert.StartsWith("5 dumps, ", run.Output, StringComparison.Ordinal);
        Assert.Equal(2, run.Error.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length);
    }

    [Fact]
    public void Nothing_found_in_what_is_there_is_no_all_clear_while_something_is_missing()
    {
        string copy = triaged.CopyRecords("sound");
        string[] records = Directory.GetFiles(Path.Combine(copy, "records"), "*.json", SearchOption.AllDirectories);
        Array.ForEach([.. records.Where(r => !File.ReadAllText(r).Contains("timed-wait.dmp", StringComparison.Ordinal))], File.Delete);
        DumpAnalyze whole = DumpAnalyze.Run("merge", copy);
        Assert.Equal((0, ""), (whole.ExitCode, whole.Error));
        File.Delete(Path.Combine(copy, "summary.json"));
        string html = triaged.File("sound.html");
        DumpAnalyze unfinished = DumpAnalyze.Run("merge", copy, "--html", html, "--junit", triaged.File("sound.junit"), "--sarif", triaged.File("sound.sarif"));
        Assert.Equal(13, unfinished.ExitCode);
        Assert.Contains("no run of triage has ended there", unfinished.Error, StringComparison.Ordinal);
        Assert.Contains("no run of triage has ended there", unfinished.Output, StringComparison.Ordinal);
        Assert.Contains("<h1>No finding in 1 dump; dumps may be missing</h1>", File.ReadAllText(html), StringComparison.Ordinal);
        Assert.Contains("no run of triage has ended there", (string)XDocument.Load(triaged.File("sound.junit")).Descendants("error").Single()
            .Attribute("message")!, StringComparison.Ordinal);
        JsonElement invocation = JsonDocument.Parse(File.ReadAllText(triaged.File("sound.sarif"))).RootElement.Member("runs")[0]
            .Member("invocations")[0];
        Assert.Equal((false, 1), (invocation.Member("executionSuccessful").GetBoolean(), invocation.Member("toolExecutionNotifications")
            .GetArrayLength()));
        File.WriteAllText(Path.Combine(copy, "summary.json"),
            """{"schema":"dump-triage/1","shard":null,"warnings":[{"path":"x.zip","message":"it is encrypted","notLookedAt":true}]}""");
        DumpAnalyze warned = DumpAnalyze.Run("merge", copy);
        Assert.Equal((13, "dumpanalyze: x.zip: it is encrypted\n"), (warned.ExitCode, warned.Error));
    }

    [Fact]
    public void Output_that_would_destroy_another_or_a_record_is_refused()
    {
        string record = Directory.GetFiles(Path.Combine(triaged.Records, "records"), "*.json", SearchOption.AllDirectories)[0];
        string before = File.ReadAllText(record);
        DumpAnalyze onRecord = DumpAnalyze.Run("merge", triaged.Records + "/", "--html", record);
        Assert.Equal((2, true, before), (onRecord.ExitCode, onRecord.Error.Contains("keep their results there", StringComparison.Ordinal),
            File.ReadAllText(record)));
        Assert.Equal(2, DumpAnalyze.Run("merge", triaged.Records, "--json", Path.Combine(triaged.Records, "summary.json")).ExitCode);
        string same = triaged.File("same.out");
        DumpAnalyze twice = DumpAnalyze.Run("merge", triaged.Records, "--html", same, "--csv", Path.Combine(triaged.Folder, "..", "same.out"));
        Assert.Equal((2, true, false), (twice.ExitCode, twice.Error.Contains("--html writes that file already", StringComparison.Ordinal), File.Exists(same)));
        Assert.Equal(10, DumpAnalyze.Run("merge", triaged.Records, "--csv", Path.Combine(triaged.Records, "overview.csv")).ExitCode);
    }

    [Fact]
    public void Wrong_folders_and_rules_are_errors()
    {
        DumpAnalyze missing = DumpAnalyze.Run("merge", triaged.File("nowhere"));
        Assert.Equal((2, true), (missing.ExitCode, missing.Error.Contains("there is no such folder", StringComparison.Ordinal)));
        DumpAnalyze empty = DumpAnalyze.Run("merge", Directory.CreateDirectory(triaged.File("empty")).FullName);
        Assert.Equal((3, true), (empty.ExitCode, empty.Error.Contains("no records", StringComparison.Ordinal)));
        DumpAnalyze tags = DumpAnalyze.Run("merge", triaged.Records, "--stacktags",
            triaged.Write("bad.stacktags", "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><Tag/>"));
        Assert.Equal((2, true), (tags.ExitCode, tags.Error.Contains("DTD", StringComparison.Ordinal)));
        DumpAnalyze issues = DumpAnalyze.Run("merge", triaged.Records, "--known-issues",
            triaged.Write("bad.json", "{\"schema\":\"known-issues/1\",\"issues\":[{}]}"));
        Assert.Equal((2, true), (issues.ExitCode, issues.Error.Contains("entry 1", StringComparison.Ordinal)));
        DumpAnalyze unwritable = DumpAnalyze.Run("merge", triaged.Records, "--csv", Path.Combine(triaged.File("nowhere"), "a.csv"));
        Assert.Equal((2, ""), (unwritable.ExitCode, unwritable.Output));
    }

    [Fact]
    public void Single_dump_is_labelled_when_asked()
    {
        string dump = Fixture.Named("loader-exit").Path;
        Assert.Contains("ntdll!LdrShutdownThread+0xa2   [Loader\\Thread ends (DLL callbacks)]", DumpAnalyze.Run(dump, "--stacktags", "default").Output,
            StringComparison.Ordinal);
        Assert.Contains("mathplug!mathplug_lock+0x22   [Maths]", DumpAnalyze.Run(dump, "--stacktags", triaged.Write("one.stacktags", Tags)).Output,
            StringComparison.Ordinal);
        string json = DumpAnalyze.Run(dump, "--stacktags", "default", "--format", "json").Output;
        Assert.Empty(JsonSchemaCheck.Errors(json));
        Assert.Contains("\"tag\": \"Spin\\\\Yields\"", json, StringComparison.Ordinal);
        Assert.DoesNotContain("\"tag\"", DumpAnalyze.Run(dump, "--format", "json").Output, StringComparison.Ordinal);
    }

    /// <summary>Records of six dumps, which are gone afterwards.</summary>
    public sealed class TriagedFixtures : IDisposable
    {
        private readonly string _root = Directory.CreateTempSubdirectory("dump-merge-").FullName;

        public TriagedFixtures()
        {
            Directory.CreateDirectory(Folder);
            foreach (string name in new[] { "loader-exit", "loader-exit-victims", "cs-cycle2", "timed-wait", "loader-exit-stacks-only" })
            {
                System.IO.File.Copy(Fixture.Named(name).Path, Path.Combine(Folder, name + ".dmp"));
            }

            System.IO.File.WriteAllBytes(Path.Combine(Folder, "broken.dmp"), System.IO.File.ReadAllBytes(Fixture.Named("cs-cycle2").Path)[..40]);
            DumpAnalyze run = DumpAnalyze.Run("triage", Folder, "--out", Records, "-j", "2");
            Assert.True(run.ExitCode == 10, run.Error);
            Array.ForEach(Directory.GetFiles(Folder), System.IO.File.Delete);
        }

        public string Folder => Path.Combine(_root, "dumps");

        public string Records => Path.Combine(_root, "records-of-all");

        public string File(string name) => Path.Combine(_root, name);

        public string Write(string name, string text)
        {
            System.IO.File.WriteAllText(File(name), text);
            return File(name);
        }

        public string CopyRecords(string name)
        {
            foreach (string file in Directory.GetFiles(Records, "*.json", SearchOption.AllDirectories))
            {
                string place = Path.Combine(File(name), Path.GetRelativePath(Records, file));
                Directory.CreateDirectory(Path.GetDirectoryName(place)!);
                System.IO.File.Copy(file, place);
            }

            return File(name);
        }

        public void Dispose() => Directory.Delete(_root, recursive: true);
    }
}
