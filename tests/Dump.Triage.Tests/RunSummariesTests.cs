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

    private void Write(string folder, string name, string? shard, string warnings = "")
    {
        Directory.CreateDirectory(Path.Combine(_root, folder, "records"));
        string part = shard is null ? "null" : $"\"{shard}\"";
        File.WriteAllText(Path.Combine(_root, folder, name), $$"""{"schema":"dump-triage/1","shard":{{part}},"warnings":[{{warnings}}]}""");
    }
}
