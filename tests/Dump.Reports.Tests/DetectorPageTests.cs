using Dump.Testing;

namespace Dump.Reports.Tests;

/// <summary>The example reports on the detectors' pages are what the program prints for the fixtures that they name.</summary>
public sealed class DetectorPageTests
{
    private const string Prompt = "$ dumpanalyze dumps-fixtures/";

    public static TheoryData<string> Pages =>
        [.. Directory.GetFiles(Path.Combine(Repository.Root, "docs", "detectors"), "*.md").Order(StringComparer.Ordinal)
            .Where(p => Examples(p).Any()).Select(p => Path.GetRelativePath(Repository.Root, p))];

    [Fact]
    public void Most_pages_have_an_example_from_a_fixture() => Assert.InRange(((IEnumerable<object[]>)Pages).Count(), 6, int.MaxValue);

    [Fact]
    public void The_readme_shows_the_report_of_loader_exit()
    {
        string[] lines = [.. File.ReadAllLines(Path.Combine(Repository.Root, "README.md")).SkipWhile(l => !l.StartsWith("DUMP1001 ", StringComparison.Ordinal))
            .TakeWhile(l => l != "```")];
        Assert.NotEmpty(lines);
        Assert.Contains(string.Join('\n', lines), File.ReadAllText(Path.Combine(GoldenFolder.Of("Dump.Reports.Tests").Path, "fixtures",
            "loader-exit.report.txt")), StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Pages))]
    public void Example_is_part_of_the_report(string page)
    {
        foreach ((string fixture, string[] lines) in Examples(Path.Combine(Repository.Root, page)))
        {
            string report = File.ReadAllText(Path.Combine(GoldenFolder.Of("Dump.Reports.Tests").Path, "fixtures", fixture + ".report.txt"));
            Assert.All(lines, line => Assert.Contains($"\n{line}\n", report, StringComparison.Ordinal));
        }
    }

    private static IEnumerable<(string Fixture, string[] Lines)> Examples(string page)
    {
        string[] lines = File.ReadAllLines(page);
        for (int i = 0; i < lines.Length; i++)
        {
            if (lines[i].StartsWith(Prompt, StringComparison.Ordinal))
            {
                string fixture = Path.GetFileNameWithoutExtension(lines[i][Prompt.Length..].Split(' ')[0]);
                yield return (fixture, [.. lines.Skip(i + 1).TakeWhile(l => l != "```")]);
            }
        }
    }
}
