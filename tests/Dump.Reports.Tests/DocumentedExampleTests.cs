using System.Text.RegularExpressions;
using Dump.Testing;

namespace Dump.Reports.Tests;

/// <summary>
/// The example reports on the pages are what the program prints: a block of code without a language is one, and all of its lines stand in one golden file.
/// </summary>
public sealed partial class DocumentedExampleTests
{
    private const string Fence = "```";
    private static readonly string s_golden = GoldenFolder.Of("Dump.Reports.Tests").Path;

    /// <summary>The lines of each golden report, by its path within their folder.</summary>
    private static readonly Dictionary<string, HashSet<string>> s_reports = Directory.GetFiles(s_golden, "*.txt", SearchOption.AllDirectories)
        .ToDictionary(f => Path.GetRelativePath(s_golden, f).Replace('\\', '/'), f => File.ReadAllLines(f).Select(l => l.Trim()).ToHashSet(StringComparer.Ordinal));

    /// <summary>The pages with examples, relative to the repository.</summary>
    public static TheoryData<string> Pages =>
    [
        .. Directory.GetFiles(Path.Combine(Repository.Root, "docs"), "*.md", SearchOption.AllDirectories).Append(Path.Combine(Repository.Root, "README.md"))
            .Where(p => Examples(File.ReadAllLines(p)).Any()).Select(p => Path.GetRelativePath(Repository.Root, p)).Order(StringComparer.Ordinal),
    ];

    [Fact]
    public void Every_detector_has_an_example() =>
        Assert.Equal(22, ((IEnumerable<object[]>)Pages).Count(p => ((string)p[0]).Contains("detectors", StringComparison.Ordinal)));

    [Theory]
    [MemberData(nameof(Pages))]
    public void Examples_are_parts_of_reports(string page) =>
        Assert.Empty(Examples(File.ReadAllLines(Path.Combine(Repository.Root, page))).Select(Fault).OfType<string>().ToArray());

    /// <summary>Else the check proves nothing.</summary>
    [Theory]
    [InlineData("DUMP1002 Lock-cycle deadlock (Confirmed)", null)]
    [InlineData("DUMP1002 Lock-cycle deadlock (Surely)", "DUMP1002 Lock-cycle deadlock (Surely)")]
    [InlineData("$ dumpanalyze dumps-fixtures/cs-cycle2.dmp\n...\nDUMP1002 Lock-cycle deadlock (Confirmed)", null)]
    [InlineData("$ dumpanalyze dumps-fixtures/cs-orphan.dmp\nDUMP1002 Lock-cycle deadlock (Confirmed)", "DUMP1002 Lock-cycle deadlock (Confirmed)")]
    [InlineData("2   DUMP1002 Lock-cycle deadlock (Confirmed)\n    What to do", null)]
    public void Wrong_example_is_found(string text, string? complaint) => Assert.Equal(complaint, Fault(Examples([Fence, .. text.Split('\n'), Fence]).Single()));

    /// <summary>The first line that is in no report, or not in that of the fixture which the example names; null when all stand in one report.</summary>
    private static string? Fault(string[] example)
    {
        string? fixture = Prompt().Match(example[0]) is { Success: true } prompt ? $"fixtures/{prompt.Groups[1].Value}.report.txt" : null;
        string[] lines = [.. example.Where(l => l[0] is not '$' && !l.StartsWith("0:000>", StringComparison.Ordinal)).Select(l => Margin().Replace(l, "").Trim())
            .Where(l => l is not "...")];
        return lines.ElementAtOrDefault(s_reports.Where(r => fixture is null || r.Key == fixture).Max(r => lines.TakeWhile(r.Value.Contains).Count()));
    }

    /// <summary>The blocks without a language, each as its lines that are not blank.</summary>
    private static IEnumerable<string[]> Examples(string[] lines)
    {
        for (int i = 0; i < lines.Length; i++)
        {
            if (lines[i].StartsWith(Fence, StringComparison.Ordinal))
            {
                string[] block = [.. lines.Skip(i + 1).TakeWhile(l => l != Fence)];
                if (lines[i] == Fence)
                {
                    yield return [.. block.Where(l => l.Trim().Length > 0)];
                }

                i += block.Length + 1;
            }
        }
    }

    [GeneratedRegex(@"^\$ dumpanalyze dumps-fixtures/([\w-]+)\.dmp$")]
    private static partial Regex Prompt();

    /// <summary>The number that a note below the example explains.</summary>
    [GeneratedRegex(@"^[0-9](?=   )")]
    private static partial Regex Margin();
}
