using System.Text.RegularExpressions;
using Dump.Analysis;
using Dump.Testing;

namespace Dump.Reports.Tests;

/// <summary>Every report format and outcome against the committed files in <c>Golden/</c>, and what holds for all of them.</summary>
public sealed partial class GoldenTests
{
    private static readonly GoldenFolder s_golden = GoldenFolder.Of("Dump.Reports.Tests");

    public static TheoryData<string> Names => [.. GoldenTexts.All.Keys];

    public static TheoryData<string> Files => [.. s_golden.Names];

    [Theory]
    [MemberData(nameof(Names))]
    public void Text_is_that_of_its_golden_file(string name) => s_golden.Compare(name, GoldenTexts.All[name]());

    [Fact]
    public void Every_golden_file_is_used() => Assert.Empty(s_golden.Names.Except(GoldenTexts.All.Keys));

    [Fact]
    public void Every_detector_has_a_verdict_in_some_golden_file()
    {
        string all = string.Concat(s_golden.Names.Where(n => n.EndsWith(".report.txt", StringComparison.Ordinal)).Select(Read));
        Assert.All(DetectorRegistry.Descriptors, d => Assert.Contains($"\n{d.Id} ", all, StringComparison.Ordinal));
        Assert.All(["(Confirmed)", "(Likely)", "(Suspected)"], c => Assert.Contains(
            $"DUMP1001 {(c == "(Suspected)" ? "Threads that may wait for each other" : "Loader-lock deadlock")} {c}", all, StringComparison.Ordinal));
    }

    [Theory]
    [MemberData(nameof(Files))]
    public void Golden_file_is_plain(string name)
    {
        string text = Read(name);
        Assert.DoesNotContain('\r', text);
        Assert.All(text.Split('\n'), line => Assert.False(line.EndsWith(' '), $"trailing space: \"{line}\""));
        Assert.EndsWith("\n", text, StringComparison.Ordinal);
        Assert.DoesNotMatch(Harmful(), text);
        Assert.DoesNotContain(Repository.Root, text, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Files))]
    public void A_suspicion_is_not_called_a_deadlock(string name)
    {
        string[] suspicions = [.. Read(name).Split('\n').Where(l => l.Contains("(Suspected)", StringComparison.Ordinal)
            || l.Contains("[Suspected]", StringComparison.Ordinal))];
        Assert.All(suspicions, line => Assert.DoesNotContain("deadlock", line, StringComparison.OrdinalIgnoreCase));
    }

    private static string Read(string name) => File.ReadAllText(Path.Combine(s_golden.Path, name));

    [GeneratedRegex(@"[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]")]
    private static partial Regex Harmful();
}
