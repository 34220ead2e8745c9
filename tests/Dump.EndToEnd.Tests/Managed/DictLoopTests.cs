using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Fixtures;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary><c>dumpanalyze dictloop</c> on real cores: the whole heap, what threads use, single objects, and cores without heap.</summary>
[SupportedOSPlatform("linux")]
public sealed class DictLoopTests : IDisposable
{
    private const string Installed = "";
    private readonly LinuxLab _lab = new();

    [SkippableFact]
    public void Heap_with_broken_collections_shows_each_of_them_and_no_other() => CheckBrokenHeap(Installed);

    [SkippableFact]
    public void Heap_of_sound_collections_has_no_finding() => CheckSoundHeap(Installed);

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("8.0.0")]
    [InlineData("9.0.18")]
    public void Heaps_of_other_runtimes_are_read_as_well(string version)
    {
        CheckBrokenHeap(version);
        CheckSoundHeap(version);
    }

    [SkippableTheory]
    [InlineData(Installed, "dictionary-cycle", 11, "BucketCycle")]
    [InlineData(Installed, "sortedset-cycle", 10, "NodeCycle")]
    [InlineData(Installed, "linkedlist-cycle", 10, "NodeCycle")]
    [InlineData(Installed, "hashtable-writer-gone", 11, "WriterFlag")]
    public void Broken_collection_that_a_thread_uses_is_found_without_the_heap(string version, string scene, int expected, string fault) =>
        CheckInUse(version, scene, expected, fault);

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("8.0.0", "dictionary-cycle", 11, "BucketCycle")]
    [InlineData("8.0.0", "linkedlist-cycle", 10, "NodeCycle")]
    [InlineData("9.0.18", "linkedlist-cycle", 10, "NodeCycle")]
    public void Broken_collection_of_another_runtime_is_found_without_the_heap(string version, string scene, int expected, string fault) =>
        CheckInUse(version, scene, expected, fault);

    private void CheckBrokenHeap(string version)
    {
        (string path, string[] options) = Dump("collections-broken", version);
        (int exitCode, JsonElement report) = DictLoop(path, [.. options, "--heap"]);
        Assert.Equal(11, exitCode);
        (string Kind, string Fault)[] found = [.. Collections(report).Select(c =>
            (c.Member("kind").GetString()!, c.Member("faults")[0].Member("kind").GetString()!)).Order()];
        Assert.Equal(
            [("Dictionary", "BucketCycle"), ("Dictionary", "FreeListCycle"), ("Dictionary", "IndexOutOfRange"), ("HashSet", "BucketCycle"),
                ("Hashtable", "CountMismatch"), ("LinkedList", "NodeCycle"), ("SortedDictionary", "NodeCycle")],
            found);
        JsonElement counts = report.Member("counts");
        Assert.Equal(7, counts.Member("broken").GetInt32());
        Assert.Equal(0, counts.Member("unreadable").GetInt32());
        Assert.Equal(counts.Member("checked").GetInt32(), counts.Member("sound").GetInt32() + 7);
        Assert.Empty(report.Member("heap").Member("stops").EnumerateArray());

        // Each of them by its address gives the same.
        foreach (JsonElement collection in Collections(report))
        {
            string address = collection.Member("address").GetString()!;
            (int code, JsonElement one) = DictLoop(path, [address, .. options]);
            Assert.Equal(11, code);
            Assert.Equal(collection.GetRawText(), Assert.Single(Collections(one)).GetRawText());
        }
    }

    private void CheckSoundHeap(string version)
    {
        (string path, string[] options) = Dump("collections-sound", version);
        (int exitCode, JsonElement report) = DictLoop(path, [.. options, "--heap"]);
        Assert.Empty(Collections(report));
        Assert.Equal(0, exitCode);
        Dictionary<string, int> kinds = report.Member("counts").Member("kinds").EnumerateArray()
            .ToDictionary(k => k.Member("kind").GetString()!, k => k.Member("checked").GetInt32());
        Assert.Equal(["Dictionary", "HashSet", "Hashtable", "LinkedList", "SortedDictionary", "SortedSet"], kinds.Keys.Order(StringComparer.Ordinal));

        // Four kept ones, an empty and a trimmed one at least; two of each of the others.
        Assert.True(kinds["Dictionary"] >= 6 && kinds["HashSet"] >= 3 && kinds["Hashtable"] >= 3, string.Join(' ', kinds));
        Assert.Equal((2, 3, 2), (kinds["LinkedList"], kinds["SortedSet"], kinds["SortedDictionary"]));
    }

    private void CheckInUse(string version, string scene, int expected, string fault)
    {
        string[] options = Options(version);
        (int exitCode, JsonElement report) = ThrowingMoment.Passed(
            scene, Core(scene, version), () => version == Installed ? _lab.DumpAnew(scene) : Core(scene, version), d => DictLoop(d.Path, options),
            r => !Collections(r.Report).Any()).Found;
        JsonElement collection = Assert.Single(Collections(report));
        Assert.Equal(fault, collection.Member("faults")[0].Member("kind").GetString());
        Assert.NotEmpty(collection.Member("threadsReferring").EnumerateArray());
        Assert.Equal(expected, exitCode);
        Assert.Equal(fault is "BucketCycle" ? 0 : 1, collection.Member("loopsForEver").GetBoolean() ? 1 : 0);
    }

    [SkippableFact]
    public void Text_shows_chain_keys_and_values_without_escape_sequences()
    {
        (string path, _) = Dump("collections-broken", Installed);
        DumpAnalyze run = DumpAnalyze.Run("dictloop", path, "--heap");
        Assert.Contains("bucket 0: entries[0].next -> 1 -> 0\n", run.Output, StringComparison.Ordinal);
        Assert.Matches("entries\\[0\\] +next 1 +hash 0x[0-9a-f]{8} +key \"apple\\?\\[31m\" +value \"red\"", run.Output);
        Assert.Contains("yyyyyyyyyy...\"", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("\u001b", run.Output, StringComparison.Ordinal);
        Assert.Contains("throws InvalidOperationException", run.Output, StringComparison.Ordinal);
        Assert.Contains("follows such a cycle for ever", run.Output, StringComparison.Ordinal);
        Assert.Contains("7 broken, 0 could not be read", run.Output, StringComparison.Ordinal);
        Assert.Contains("walked completely", run.Output, StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Address_of_something_else_is_refused()
    {
        (string path, _) = Dump("collections-broken", Installed);
        DumpAnalyze none = DumpAnalyze.Run("dictloop", path, "0x1234");
        Assert.Equal((2, ""), (none.ExitCode, none.Output));
        Assert.Contains("no object at 0x1234", none.Error, StringComparison.Ordinal);

        // A node of the tree is an object, but no collection.
        (_, JsonElement report) = DictLoop(path, "--heap");
        string text = Collections(report).Single(c => c.Member("kind").GetString() == "SortedDictionary").Member("faults")[0].Member("text")
            .GetString()!;
        string node = text.Split(' ')[1][2..];
        DumpAnalyze other = DumpAnalyze.Run("dictloop", path, node);
        Assert.Equal((2, ""), (other.ExitCode, other.Output));
        Assert.Contains("no collection that can be checked", other.Error, StringComparison.Ordinal);
    }

    [SkippableTheory]
    [InlineData("normal", "", "--heap", "7fd8f980c378")]
    [InlineData("triage", "--heap")]
    public void Core_without_heap_cannot_decide(string kind, params string[] questions)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        LabDump dump = _lab.DumpAnew("sortedset-cycle", kind);
        Assert.All(questions, option =>
        {
            (int exitCode, JsonElement report) = DictLoop(dump.Path, option.Length == 0 ? [] : [option]);
            Assert.Equal(13, exitCode);
            Assert.True(report.Member("undecidable").GetBoolean());
            Assert.Contains("createdump --full", report.Member("missing").GetRawText(), StringComparison.Ordinal);
        });
    }

    [SkippableFact]
    public void Core_that_was_cut_says_what_was_not_walked_and_shows_what_was()
    {
        (string path, _) = Dump("collections-broken", Installed);
        long whole = new FileInfo(path).Length;
        foreach (int share in (int[])[30, 60, 80, 95])
        {
            string cut = path + ".cut";
            using (FileStream source = File.OpenRead(path))
            using (FileStream target = File.Create(cut))
            {
                source.CopyTo(target);
                target.SetLength(whole * share / 100);
            }

            DumpAnalyze run = DumpAnalyze.Run("dictloop", cut, "--heap", "--format", "json");
            Assert.True(run.ExitCode is 10 or 11 or 13, run.Error + run.Output);
            Assert.Empty(JsonSchemaCheck.Errors(run.Output));
        }
    }

    [Fact]
    public void Dump_of_a_native_process_cannot_decide()
    {
        DumpAnalyze run = DumpAnalyze.Run("dictloop", Fixture.Named("cs-cycle2").Path, "--format", "json");
        Assert.Equal(13, run.ExitCode);
        Assert.Empty(JsonSchemaCheck.Errors(run.Output));
    }

    public void Dispose() => _lab.Dispose();

    private static IEnumerable<JsonElement> Collections(JsonElement report) => report.Member("collections").EnumerateArray();

    private static (int ExitCode, JsonElement Report) DictLoop(string path, params string[] options)
    {
        DumpAnalyze run = DumpAnalyze.Run(["dictloop", path, .. options, "--format", "json"]);
        Assert.Empty(run.Error);
        Assert.Empty(JsonSchemaCheck.Errors(run.Output));
        return (run.ExitCode, JsonDocument.Parse(run.Output).RootElement);
    }

    private (string Path, string[] Options) Dump(string scene, string version) => (Core(scene, version).Path, Options(version));

    private LabDump Core(string scene, string version) => RuntimeCores.Make(_lab, version == Installed ? RuntimeCores.Installed : version, scene);

    private static string[] Options(string version) => version == Installed ? [] : ["--dac", PrivateRuntimes.Shared.Frameworks];
}
