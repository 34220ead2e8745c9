using Dump.Reports.Tests.Scenes;
using Dump.Testing;

namespace Dump.Reports.Tests;

/// <summary>What is written is what <c>docs/json-schema.json</c> promises, field by field. <see cref="EveryFormatTests"/> looks at every scene.</summary>
public sealed class JsonSchemaTests
{
    private static readonly GoldenFolder s_golden = GoldenFolder.Of("Dump.Reports.Tests");

    public static TheoryData<string> Documents => [.. s_golden.Names.Where(n => n.EndsWith(".json", StringComparison.Ordinal))];

    [Fact]
    public void Schema_is_made_from_the_records() => SchemaFile.Folder.Compare(SchemaFile.Name, SchemaFile.Make());

    [Theory]
    [MemberData(nameof(Documents))]
    public void Golden_document_follows_the_schema(string name) =>
        Assert.Empty(JsonSchemaCheck.Errors(File.ReadAllText(Path.Combine(s_golden.Path, name))));

    [Theory]
    [InlineData("\"undecidable\": false", "\"undecidable\": 0", "breaks type")]
    [InlineData("\"undecidable\": false", "\"undecided\": false", "report.undecided is not in the schema")]
    [InlineData("\"confidence\": \"Confirmed\"", "\"confidence\": \"Certain\"", "breaks enum")]
    [InlineData("\"identity\": \"0x3c\"", "\"identity\": \"3C\"", "breaks pattern")]
    [InlineData("\"holderIsAlive\": true,", "", "breaks required")]
    [InlineData("\"holder\": 516", "\"holder\": 4294967296", "breaks maximum")]
    [InlineData("\"id\": 4711", "\"id\": -1", "breaks minimum")]
    public void A_document_that_breaks_the_schema_is_found(string right, string wrong, string error)
    {
        string document = ReportTexts.ReportJson(NamedScenes.All["scenes/mutex-cycle"]());
        Assert.Contains(right, document, StringComparison.Ordinal);
        Assert.Contains(JsonSchemaCheck.Errors(document.Replace(right, wrong, StringComparison.Ordinal)), e => e.Contains(error, StringComparison.Ordinal));
    }

    [Fact]
    public void Raw_json_of_a_hostile_dump_ends_its_list_of_unloaded_modules_and_tells_their_number()
    {
        string document = ReportTexts.RawJson(HostileDump.Make());
        Assert.Empty(JsonSchemaCheck.Errors(document));
        System.Text.Json.JsonElement root = System.Text.Json.JsonDocument.Parse(document).RootElement;
        Assert.Equal(4096, root.Member("unloadedModules").GetArrayLength());
        Assert.Equal(5000, root.Member("unloadedModuleCount").GetInt32());
    }

    [Fact]
    public void Comments_keep_their_lines_in_json()
    {
        System.Text.Json.JsonElement source = System.Text.Json.JsonDocument.Parse(ReportTexts.ReportJson(NamedScenes.All["scenes/nothing-found"]()))
            .RootElement.Member("source");
        Assert.Equal("\n*** procdump64.exe -ma server.exe\n*** Manual dump", source.Member("comment").GetString());
    }
}
