using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Fixtures;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Triage;

/// <summary>What the program writes for other programs is right by their own validators: JSON by ajv, SARIF by Microsoft's.</summary>
public sealed class ForeignValidatorTests(MergeCommandTests.TriagedFixtures triaged) : IClassFixture<MergeCommandTests.TriagedFixtures>
{
    private static readonly string s_schema = Path.Combine(Repository.Root, "docs", "json-schema.json");
    private static readonly GoldenFolder s_golden = GoldenFolder.Of("Dump.Reports.Tests");

    [SkippableFact]
    public void Every_json_document_follows_the_schema()
    {
        Skip.If(Validators.Unavailable is not null, Validators.Unavailable);
        string dump = Fixture.Named("cs-cycle2").Path;
        DumpAnalyze.Run("merge", triaged.Records, "--json", triaged.File("valid.json"));
        string[] made =
        [
            triaged.File("valid.json"),
            triaged.Write("detectors.json", DumpAnalyze.Run("detectors", "--format", "json").Output),
            triaged.Write("raw.json", DumpAnalyze.Run("raw", dump, "--format", "json").Output),
            .. Directory.GetFiles(triaged.Records, "*.json", SearchOption.AllDirectories),
        ];
        string[] golden = [.. s_golden.Names.Where(n => n.EndsWith(".json", StringComparison.Ordinal)).Select(n => Path.Combine(s_golden.Path, n))];
        Assert.InRange(golden.Length, 20, int.MaxValue);
        Assert.Empty(Validators.JsonErrors(s_schema, [.. made, .. golden]));
    }

    [SkippableFact]
    public void Document_with_a_field_of_another_type_is_refused()
    {
        Skip.If(Validators.Unavailable is not null, Validators.Unavailable);
        string report = DumpAnalyze.Run(Fixture.Named("cs-cycle2").Path, "--format", "json").Output;
        string wrong = report.Replace("\"undecidable\": false", "\"undecidable\": 0", StringComparison.Ordinal);
        Assert.NotEqual(report, wrong);
        string error = Assert.Single(Validators.JsonErrors(s_schema, [triaged.Write("wrong.json", wrong)]));
        Assert.EndsWith("/undecidable must be boolean", error, StringComparison.Ordinal);
    }

    /// <summary>The documentation's address is known to published builds only.</summary>
    [SkippableFact]
    [Trait("Category", "Slow")]
    public void Sarif_is_valid_and_lacks_nothing_but_an_address_of_the_documentation()
    {
        Skip.If(Validators.Unavailable is not null, Validators.Unavailable);
        string file = triaged.File("valid.sarif");
        DumpAnalyze.Run("merge", triaged.Records, "--sarif", file);
        Assert.Contains("does not provide 'informationUri'", Assert.Single(Validators.SarifFindings(file)), StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Sarif_of_a_published_build_has_no_finding()
    {
        Skip.If(Validators.Unavailable is not null, Validators.Unavailable);
        Assert.Empty(Validators.SarifFindings(triaged.Write("golden.sarif", File.ReadAllText(Path.Combine(s_golden.Path, "folder", "overview.sarif")))));
    }
}
