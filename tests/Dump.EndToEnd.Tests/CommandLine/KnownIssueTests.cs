using System.Text.Json;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Fixtures;

namespace Dump.EndToEnd.Tests.CommandLine;

/// <summary><c>--known-issues</c> adds a person's own notes to the verdicts that they fit.</summary>
public sealed class KnownIssueTests : IDisposable
{
    private const string Issues = """
        {
          "schema": "known-issues/1",
          "issues": [{"id": "own", "title": "Two sections in two orders", "explanation": "Take them in one order.", "reference": "https://example.org/7",
            "detectors": ["DUMP1002"]}]
        }
        """;

    private readonly string _file = Path.Combine(Path.GetTempPath(), $"known-issues-{Guid.NewGuid():N}.json");

    public KnownIssueTests() => File.WriteAllText(_file, Issues);

    public void Dispose() => File.Delete(_file);

    [Fact]
    public void Note_stands_in_text_and_json_and_changes_no_answer()
    {
        string dump = Fixture.Named("cs-cycle2").Path;
        DumpAnalyze text = DumpAnalyze.Run(dump, "--known-issues", _file);
        Assert.Equal(10, text.ExitCode);
        Assert.Contains("  Known\n    - Two sections in two orders. Take them in one order.\n      https://example.org/7\n", text.Output, StringComparison.Ordinal);
        using var report = JsonDocument.Parse(DumpAnalyze.Run(dump, "--known-issues", _file, "--format", "json").Output);
        JsonElement note = Assert.Single(report.RootElement.Member("verdicts")[0].Member("knownIssues").EnumerateArray());
        Assert.Equal("Two sections in two orders", note.Member("title").GetString());
    }

    [Fact]
    public void Verdict_of_another_detector_has_no_note()
    {
        string dump = Fixture.Named("loader-exit").Path;
        Assert.Equal(DumpAnalyze.Run(dump).Output, DumpAnalyze.Run(dump, "--known-issues", _file).Output);
    }
}
