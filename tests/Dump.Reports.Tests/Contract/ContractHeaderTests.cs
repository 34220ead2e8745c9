using System.Text.RegularExpressions;
using Dump.Model.Contract;
using Dump.Testing;

namespace Dump.Reports.Tests.Contract;

/// <summary>Exit codes, names of schemas and of environment variables stand in <c>Dump.Model/Contract</c> and nowhere else.</summary>
public sealed partial class ContractHeaderTests
{
    private static string EngineFolder => Path.Combine(Repository.Root, "ext-native", "src", "engine");

    [Fact]
    public void Header_of_the_extension_says_what_the_contract_says() => new GoldenFolder(EngineFolder).Compare("contract.hpp", ContractHeader.Text());

    [Fact]
    public void No_other_shipped_source_repeats_a_schema_name() =>
        Assert.Empty(Sources().SelectMany(s => SchemaLiteral().Matches(s.Text).Select(m => $"{s.Path}: {m.Value}")));

    [Fact]
    public void No_shipped_source_names_an_environment_variable_itself() =>
        Assert.Empty(Sources().SelectMany(s => VariableLiteral().Matches(s.Text).Select(m => $"{s.Path}: {m.Value}")));

    /// <summary>What must be known of a detector elsewhere (its family, whom it is about) is in its descriptor.</summary>
    [Fact]
    public void No_shipped_source_names_the_id_of_a_detector_but_the_detector_itself() =>
        Assert.Empty(Sources().Where(s => !DetectorSource().IsMatch(s.Path))
            .SelectMany(s => DetectorLiteral().Matches(s.Text).Select(m => $"{s.Path}: {m.Value}")));

    [Fact]
    public void Names_are_different()
    {
        Assert.Distinct(ContractHeader.Constants<string>(typeof(SchemaNames)).Select(c => c.Value));
        Assert.Distinct(ContractHeader.Constants<string>(typeof(EnvironmentVariables)).Select(c => c.Value));
        Assert.Distinct(ContractHeader.Constants<int>(typeof(ExitCode)).Select(c => c.Value));
    }

    /// <summary>The shipped sources in C# and C++ without the contract itself; more than none of each.</summary>
    private static List<(string Path, string Text)> Sources()
    {
        List<(string Path, string Text)> sources = [];
        foreach ((string folder, string pattern) in (ReadOnlySpan<(string, string)>)[("analyzers", "*.cs"), ("ext-managed", "*.cs"), ("ext-native", "*.?pp")])
        {
            string root = Path.Combine(Repository.Root, folder);
            string[] files = [.. Directory.EnumerateFiles(root, pattern, SearchOption.AllDirectories)
                .Where(f => !Other().IsMatch(Path.GetRelativePath(Repository.Root, f)))];
            Assert.NotEmpty(files);
            sources.AddRange(files.Select(f => (Path.GetRelativePath(Repository.Root, f), File.ReadAllText(f))));
        }

        return sources;
    }

    [GeneratedRegex("""(^|[/\\])(obj|bin|tests|Contract)[/\\]|[/\\]contract\.hpp$""")]
    private static partial Regex Other();

    [GeneratedRegex("""
        "(dump|known)-[a-z]+/[0-9]*"
        """)]
    private static partial Regex SchemaLiteral();

    [GeneratedRegex(@"[/\\]Detectors[/\\]\w+Detector\.cs$")]
    private static partial Regex DetectorSource();

    [GeneratedRegex("""
        "[^"\n]*DUMP[0-9]+
        """)]
    private static partial Regex DetectorLiteral();

    [GeneratedRegex("""(EnvironmentVariable\w*\(|Environment\[)L?"[^"]*"|"[^"]*(DUMPANALYZE_|_NT_SYMBOL_PATH)(=?"|")""")]
    private static partial Regex VariableLiteral();
}
