using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Dump.Analysis;
using Dump.Clr.Wine;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Verdicts;
using Dump.Reports;
using Dump.Reports.Json;

namespace Dump.Clr.Tests;

/// <summary>The managed half crosses from one process to another as it is, and nothing else than a managed half does.</summary>
public sealed class ManagedHalfJsonTests
{
    [Fact]
    public void Half_comes_back_as_it_was()
    {
        string written = Write(ManagedHalves.Managed());
        ManagedHalf? read = Read(written);
        Assert.NotNull(read);
        Assert.Equal(written, Write(read));
        Assert.Equal(ManagedHalves.Monitor, Assert.Single(read.Waits).Resource);
        Assert.Equal("App.Work", Assert.Single(Assert.Single(read.Threads).Frames).Function);
    }

    [Fact]
    public void No_runtime_is_null() => Assert.Null(Read(Write(null)));

    /// <summary>Without a converter of its own an enumeration is a number, and any number is taken for one.</summary>
    [Fact]
    public void Every_enumeration_goes_by_its_words()
    {
        Type[] enumerations =
        [
            .. typeof(ManagedHalfJsonContext).GetProperties().Where(p => p.PropertyType.IsGenericType).Select(p => p.PropertyType.GetGenericArguments()[0])
                .Where(t => t.IsEnum),
        ];
        Assert.Contains(typeof(Dump.Model.Facts.Grade), enumerations);
        Assert.All(enumerations, t => Assert.Contains(ManagedHalfJson.Options.Converters, c => c.CanConvert(t)));
    }

    [Theory]
    [InlineData("")]
    [InlineData("[]")]
    [InlineData("{}")]
    [InlineData("\"half\"")]
    public void Something_else_is_refused(string text) => Assert.Throws<JsonException>(() => Read(text));

    [Theory]
    [InlineData("Threads")]
    [InlineData("Waits")]
    [InlineData("Ownerships")]
    [InlineData("TaskWaits")]
    [InlineData("Collections")]
    [InlineData("Names")]
    [InlineData("Descriptions")]
    [InlineData("Missing")]
    [InlineData("Modules")]
    public void Missing_and_null_members_are_refused(string member)
    {
        Assert.Throws<JsonException>(() => Read(Change(h => h.AsObject().Remove(member))));
        Assert.Throws<JsonException>(() => Read(Change(h => h[member] = null)));
        Assert.Throws<JsonException>(() => Read(Change(h => h[member] = 7)));
    }

    [Fact]
    public void Damaged_facts_are_refused()
    {
        Assert.Throws<JsonException>(() => Read(Change(h => h["Waits"]![0]!["Grade"] = 2)));
        Assert.Throws<JsonException>(() => Read(Change(h => h["Waits"]![0]!["Grade"] = "Certain")));
        Assert.Throws<JsonException>(() => Read(Change(h => h["Waits"]![0]!["Resource"] = null)));
        Assert.Throws<JsonException>(() => Read(Change(h => h["Waits"]![0]!["Evidence"] = null)));
        Assert.Throws<JsonException>(() => Read(Change(h => h["Waits"]![0]!["ThreadId"] = -1)));
        Assert.Throws<JsonException>(() => Read(Change(h => h["Threads"]![0]!.AsObject().Remove("Frames"))));
        Assert.Throws<JsonException>(() => Read(Change(h => h["Names"]![0]!["Name"] = null)));
    }

    /// <summary>Each node of the document in turn is null, missing, an empty list, or a list with a null: it is refused, or the whole analysis can use it.</summary>
    [Fact]
    public void No_change_of_one_place_breaks_the_analysis()
    {
        int places = Places(JsonNode.Parse(Write(ManagedHalves.Managed()))!).Count(), refused = 0;
        Assert.True(places > 150);
        for (int place = 0; place < places; place++)
        {
            foreach (Action<JsonNode> change in s_changes)
            {
                string text = Change(h => change(Places(h).ElementAt(place)));
                ManagedHalf? half;
                try
                {
                    half = Read(text);
                }
                catch (JsonException)
                {
                    refused++;
                    continue;
                }

                if (half is null)
                {
                    continue;
                }

                ProcessSnapshot merged = MergedSnapshot.Of(ManagedHalves.Native(), half);
                AnalysisResult result = HangAnalysis.Run(merged);
                Assert.Equal([], result.Outcomes.Where(o => o.Kind == DetectorOutcomeKind.Failed).Select(o => $"{text}: {o.DetectorId} {o.Error}"));
                HangReport report = HangReports.Of(merged, result, allStacks: true);
                TextReport.Write(report, TextWriter.Null, TextStyle.Plain);
                JsonReport.Write(report, Stream.Null);
            }
        }

        Assert.True(refused > places);
    }

    [Fact]
    public void Text_is_cleaned()
    {
        ManagedHalf? read = Read(Change(h => h["Names"]![0]!["Name"] = "App\u001b[31m\nVerdict\u202e"));
        string name = Assert.Single(read!.Names).Name;
        Assert.DoesNotContain(name, char.IsControl);
        Assert.DoesNotContain('\u202e', name);
        string longest = new('x', 100_000);
        Assert.True(Assert.Single(Read(Change(h => h["Names"]![0]!["Name"] = longest))!.Names).Name.Length < 5_000);
    }

    private static readonly Action<JsonNode>[] s_changes =
    [
        node => Replace(node, null),
        node => Replace(node, new JsonArray()),
        node => Replace(node, new JsonArray((JsonNode?)null)),
        node => Replace(node, new JsonObject()),
        node => (node.Parent as JsonObject)?.Remove(node.GetPropertyName()),
        node => (node as JsonArray)?.Add((JsonNode?)null),
    ];

    private static IEnumerable<JsonNode> Places(JsonNode node) => (node switch
    {
        JsonObject members => members.Select(m => m.Value),
        JsonArray elements => elements,
        _ => [],
    }).OfType<JsonNode>().SelectMany(n => Places(n).Prepend(n));

    private static void Replace(JsonNode node, JsonNode? by)
    {
        if (node.Parent is JsonArray list)
        {
            list[list.IndexOf(node)] = by;
        }
        else
        {
            node.Parent![node.GetPropertyName()] = by;
        }
    }

    private static string Change(Action<JsonNode> change)
    {
        JsonNode half = JsonNode.Parse(Write(ManagedHalves.Managed()))!;
        change(half);
        return half.ToJsonString();
    }

    private static string Write(ManagedHalf? half)
    {
        using MemoryStream output = new();
        ManagedHalfJson.Write(output, half);
        return Encoding.UTF8.GetString(output.ToArray());
    }

    private static ManagedHalf? Read(string text)
    {
        using MemoryStream input = new(Encoding.UTF8.GetBytes(text));
        return ManagedHalfJson.Read(input);
    }
}
