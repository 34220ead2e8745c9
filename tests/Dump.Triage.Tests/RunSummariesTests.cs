using System.Text;
using Dump.Triage.Records;
using Dump.Triage.Runs;

namespace Dump.Triage.Tests;

/// <summary>What merge learns from summaries: whether all runs have ended, and what they passed over.</summary>
public sealed class RunSummariesTests : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("dump-summaries-").FullName;

    [Fact]
    public void Whole_run_is_complete_and_its_warnings_are_there()
    {
        Write("a", "summary.json", null,
            """{"path":"x.zip","message":"cut off","notLookedAt":true},{"path":"y","message":"a\u001bb","notLookedAt":true},{"path":"z","message":"a FIFO"}""");
        Assert.Equal([("x.zip", "cut off"), ("y", "a?b")], Read("a").Select(w => (w.Path, w.Message)));
    }

    [Fact]
    public void Folder_without_a_summary_is_an_unfinished_run()
    {
        Directory.CreateDirectory(Path.Combine(_root, "a", "records"));
        Assert.Contains("no run of triage has ended there", Assert.Single(Read("a")).Message, StringComparison.Ordinal);
        Write("b", "summary.json", null);
        Assert.EndsWith("a", Assert.Single(Read("a", "b")).Path, StringComparison.Ordinal);
        Assert.Empty(Read("b"));
    }

    [Fact]
    public void Missing_parts_are_named_wherever_the_others_lie()
    {
        Write("a", "summary-1-of-3.json", "1/3");
        Assert.Contains("parts 2/3, 3/3 of the dumps are missing", Assert.Single(Read("a")).Message, StringComparison.Ordinal);
        Write("b", "summary-3-of-3.json", "3/3");
        Assert.Contains("part 2/3 of the dumps is missing", Assert.Single(Read("a", "b")).Message, StringComparison.Ordinal);
        Write("b", "summary-2-of-3.json", "2/3");
        Assert.Empty(Read("a", "b"));
        Write("c", "summary-1-of-100000.json", "1/100000");
        Assert.Contains(" and 99991 more of the dumps", Assert.Single(Read("c")).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Folder_with_all_parts_supplies_none_to_others()
    {
        Write("a", "summary-1-of-2.json", "1/2");
        Write("a", "summary-2-of-2.json", "2/2");
        Write("b", "summary-1-of-2.json", "1/2");
        Assert.Contains("part 2/2 of the dumps is missing", Assert.Single(Read("a", "b")).Message, StringComparison.Ordinal);
    }

    /// <summary>Parts of other dumps have the same numbers: in one folder, or in one each.</summary>
    [Theory]
    [InlineData("a", "a")]
    [InlineData("a", "b")]
    public void Parts_of_different_inputs_do_not_complete_each_other(string first, string second)
    {
        Write(first, "summary-1-of-2.json", "1/2", inputs: "\"/first\"");
        Write(second, "summary-2-of-2.json", "2/2", inputs: "\"/second\"");
        string[] folders = [.. new[] { first, second }.Distinct(StringComparer.Ordinal)];
        Assert.Equal(
            ["part 2/2 of the dumps of /first is missing: no such run has ended", "part 1/2 of the dumps of /second is missing: no such run has ended"],
            Read(folders).Select(w => w.Message));
        Write("c", "summary-2-of-2.json", "2/2", inputs: "\"/first\"");
        Assert.Equal(["part 1/2 of the dumps of /second is missing: no such run has ended"], Read([.. folders, "c"]).Select(w => w.Message));
    }

    [Fact]
    public void Parts_with_other_patterns_do_not_complete_each_other()
    {
        Write("a", "summary-1-of-2.json", "1/2", inputs: "\"/first\"");
        Write("a", "summary-2-of-2.json", "2/2", inputs: "\"/first\"", include: "\"*.dmp\"");
        Assert.Equal(2, Read("a").Length);
        Write("a", "summary-1-of-2.json", "1/2", inputs: "\"/first\"", include: "\"*.dmp\"");
        Assert.Empty(Read("a"));
    }

    [Fact]
    public void Run_over_all_of_other_dumps_does_not_complete_parts()
    {
        Write("a", "summary.json", null, inputs: "\"/first\"");
        Write("a", "summary-1-of-2.json", "1/2", inputs: "\"/second\"");
        Assert.Equal("part 2/2 of the dumps of /second is missing: no such run has ended", Assert.Single(Read("a")).Message);
        Write("a", "summary.json", null, inputs: "\"/second\"");
        Assert.Empty(Read("a"));
    }

    /// <summary>The same dumps were begun in three parts and then looked through in two.</summary>
    [Fact]
    public void Another_number_of_parts_of_the_same_dumps_completes_them()
    {
        Write("a", "summary-1-of-3.json", "1/3", inputs: "\"/first\"");
        Write("a", "summary-1-of-2.json", "1/2", inputs: "\"/first\"");
        Assert.Equal(2, Read("a").Length);
        Write("a", "summary-2-of-2.json", "2/2", inputs: "\"/first\"");
        Assert.Empty(Read("a"));
        Write("a", "summary-1-of-3.json", "1/3", inputs: "\"/second\"");
        Assert.Contains("parts 2/3, 3/3 of the dumps of /second", Assert.Single(Read("a")).Message, StringComparison.Ordinal);
    }

    /// <summary>Two runs whose first parts were copied into one folder, of which one has ended.</summary>
    [Fact]
    public void Summaries_that_became_one_say_what_each_looked_through()
    {
        static StoredRun Part(int number, string inputs, int part) => new(new string((char)('0' + number), 64), "host", inputs, $"{part}/2", null, Encoding.UTF8.GetBytes(
            $$"""{"schema":"dump-triage/1","shard":"{{part}}/2","inputs":["{{inputs}}"],"include":[],"warnings":[]}"""));
        using (IRecordStore store = FolderStore.Write(Path.Combine(_root, "a")))
        {
            store.Put(Part(1, "/first", 1));
            store.Put(Part(2, "/first", 2));
            store.Put(Part(3, "/second", 1));
            store.Complete();
        }

        Assert.Equal("part 2/2 of the dumps of /second is missing: no such run has ended", Assert.Single(Read("a")).Message);
        using (IRecordStore store = FolderStore.Write(Path.Combine(_root, "a")))
        {
            store.Put(Part(4, "/second", 2));
            store.Complete();
        }

        Assert.Empty(Read("a"));
    }

    [Theory]
    [InlineData("{")]
    [InlineData("[]")]
    [InlineData("{\"schema\":\"dump-record/1\"}")]
    [InlineData("{\"schema\":\"dump-triage/1\",\"shard\":\"0/0\",\"warnings\":7}")]
    public void Damaged_summary_is_none(string text)
    {
        Directory.CreateDirectory(Path.Combine(_root, "a", "records"));
        File.WriteAllText(Path.Combine(_root, "a", "summary.json"), text);
        Assert.Contains(Read("a"), w => w.Message.StartsWith("no run of triage has ended there", StringComparison.Ordinal));
    }

    public void Dispose() => Directory.Delete(_root, recursive: true);

    private TriageWarning[] Read(params string[] folders) => [.. TriageFolders.Read(folders.Select(f => Path.Combine(_root, f))).Warnings];

    private void Write(string folder, string name, string? shard, string warnings = "", string? inputs = null, string include = "")
    {
        Directory.CreateDirectory(Path.Combine(_root, folder, "records"));
        string part = shard is null ? "null" : $"\"{shard}\"";
        string what = inputs is null ? "" : $"\"inputs\":[{inputs}],\"include\":[{include}],";
        File.WriteAllText(Path.Combine(_root, folder, name), $$"""{"schema":"dump-triage/1","shard":{{part}},{{what}}"warnings":[{{warnings}}]}""");
    }
}
