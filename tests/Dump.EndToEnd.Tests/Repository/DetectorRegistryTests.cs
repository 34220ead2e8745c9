using System.Text.RegularExpressions;
using Dump.Analysis;
using Dump.Analysis.Detection;
using Dump.Testing;

namespace Dump.EndToEnd.Tests.RepositoryRules;

/// <summary>Registry, folders, pages and their index agree on the detectors.</summary>
public sealed partial class DetectorRegistryTests
{
    private static readonly string[] s_sections =
        ["## What it finds", "## Why it hangs", "## Evidence required", "## Known false positives and negatives", "## Example report", "## How to fix",
            "## References"];

    [Fact]
    public void Ids_are_unique_and_well_formed()
    {
        string[] ids = [.. DetectorRegistry.Descriptors.Select(d => d.Id)];
        Assert.Equal(ids.Length, ids.Distinct().Count());
        Assert.All(ids, id => Assert.Matches(Id(), id));
    }

    [Fact]
    public void Every_descriptor_is_of_a_file_and_every_file_has_one()
    {
        string[] files = [.. Directory.GetFiles(Path.Combine(Repository.Root, "analyzers", "Dump.Analysis", "Detectors"), "*Detector.cs")
            .Select(f => Path.GetFileNameWithoutExtension(f))];
        Assert.Equal(DetectorRegistry.Descriptors.Length, files.Length);
        Assert.All(DetectorRegistry.Detectors, d => Assert.Contains(d.GetType().Name, files));
    }

    [Fact]
    public void Every_detector_class_is_registered()
    {
        Type[] classes = [.. typeof(DetectorRegistry).Assembly.GetTypes().Where(t => t.IsClass && t.IsAssignableTo(typeof(IDetector)))];
        Assert.Equal(classes.Select(t => t.Name).Order(StringComparer.Ordinal), DetectorRegistry.Detectors.Select(d => d.GetType().Name)
            .Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Every_family_has_detectors_and_no_name_of_a_family_is_an_id()
    {
        Assert.Equal("collections crash loader lock spin tasks ui", string.Join(' ', DetectorRegistry.Families));
        Assert.All(DetectorRegistry.Families, f => Assert.True(DetectorRegistry.Named(f).Length > (f == "crash" ? 0 : 1), f));
        Assert.Equal(["DUMP2001", "DUMP2002", "DUMP2003"], DetectorRegistry.Named("spin").Order(StringComparer.Ordinal));
        Assert.Equal(DetectorRegistry.Detectors.Length, DetectorRegistry.Families.Sum(f => DetectorRegistry.Named(f).Length));
    }

    [Fact]
    public void Every_detector_has_a_page_with_all_sections()
    {
        string folder = Path.Combine(Repository.Root, "docs", "detectors");
        string[] pages = [.. Directory.GetFiles(folder, "*.md").Select(Path.GetFileNameWithoutExtension).Order(StringComparer.Ordinal)!];
        Assert.Equal(DetectorRegistry.Descriptors.Select(d => d.Id), pages);
        foreach (DetectorDescriptor detector in DetectorRegistry.Descriptors)
        {
            string page = File.ReadAllText(Path.Combine(folder, detector.Id + ".md"));
            Assert.StartsWith($"# {detector.Id} {detector.Title}\n", page, StringComparison.Ordinal);
            Assert.All(s_sections, section => Assert.Contains($"\n{section}\n", page, StringComparison.Ordinal));
        }
    }

    [Fact]
    public void Index_of_the_pages_lists_every_detector()
    {
        string index = File.ReadAllText(Path.Combine(Repository.Root, "docs", "README.md"));
        Assert.All(DetectorRegistry.Descriptors, d => Assert.Contains($"[{d.Id}](detectors/{d.Id}.md) | {d.Title} |", index, StringComparison.Ordinal));
    }

    [GeneratedRegex("^DUMP[0-9]{4}$")]
    private static partial Regex Id();
}
