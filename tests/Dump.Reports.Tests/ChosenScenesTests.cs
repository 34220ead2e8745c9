using System.Text.Json;
using System.Text.RegularExpressions;
using Dump.Reports.Tests.Html;
using Dump.Reports.Tests.Scenes;

namespace Dump.Reports.Tests;

/// <summary>The few scenes with golden files in every format show all that any scene has: no field, element or link is there that nobody has read.</summary>
public sealed partial class ChosenScenesTests
{
    [Fact]
    public void They_have_every_field_of_json() => Check(s => Fields(ReportTexts.ReportJson(s)));

    [Fact]
    public void They_have_every_element_of_a_page() => Check(s => Elements().Matches(PageStructure.WithoutAssets(ReportTexts.Page(s))).Select(m => m.Value));

    [Fact]
    public void They_have_every_kind_of_debugger_markup() => Check(s => Commands().Matches(ReportTexts.Markup(s, allStacks: false))
        .Select(m => m.Groups[1].Value));

    [Fact]
    public void They_are_few() => Assert.InRange(GoldenTexts.Chosen.Count, 10, 20);

    private static void Check(Func<Scene, IEnumerable<string>> parts)
    {
        string[] all = [.. NamedScenes.All.Values.SelectMany(s => parts(s())).Distinct()];
        Assert.True(all.Length > 5);
        Assert.Empty(all.Except(GoldenTexts.Chosen.SelectMany(n => parts(NamedScenes.All[n]()))));
    }

    private static IEnumerable<string> Fields(string json)
    {
        using JsonDocument document = JsonDocument.Parse(json);
        return [.. Fields(document.RootElement, "")];
    }

    /// <summary>Paths of the fields that have a value.</summary>
    private static IEnumerable<string> Fields(JsonElement value, string path) => value.ValueKind switch
    {
        JsonValueKind.Object => value.EnumerateObject().SelectMany(p => Fields(p.Value, $"{path}.{p.Name}")),
        JsonValueKind.Array => value.EnumerateArray().SelectMany(i => Fields(i, path + "[]")),
        JsonValueKind.Null => [],
        _ => [path],
    };

    /// <summary>An element with its class, as pages write it.</summary>
    [GeneratedRegex("<[a-z0-9]+( class=\"[^\"]*\")?")]
    private static partial Regex Elements();

    /// <summary>An element with the command of a link, up to its first argument.</summary>
    [GeneratedRegex("<((?:link cmd=\"[^\" \\[0-9]*)|(?:[a-z]+[^>]*))")]
    private static partial Regex Commands();
}
