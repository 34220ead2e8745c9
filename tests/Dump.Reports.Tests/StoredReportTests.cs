using System.Text;
using System.Text.Json;
using Dump.Analysis.Rules.Tags;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Reports.Json;
using Dump.Reports.Tests.Scenes;

namespace Dump.Reports.Tests;

/// <summary>A report that is read back says what the judgement says; another version's report is read, a damaged one is refused.</summary>
public sealed class StoredReportTests
{
    private static readonly JsonSerializerOptions s_whole = new() { WriteIndented = true };

    public static TheoryData<string> Names => [.. NamedScenes.All.Keys];

    [Theory]
    [MemberData(nameof(Names))]
    public void Report_read_back_equals_the_one_that_was_made(string name)
    {
        Scene read = SceneOf(name);
        Scene scene = read with { Snapshot = StackTags.Default.Label(read.Snapshot) with { Machine = "BUILD-07" } };
        foreach (bool allStacks in new[] { false, true })
        {
            HangReport made = HangReports.Of(scene.Snapshot, scene.Result, allStacks);
            Assert.Equal(JsonSerializer.Serialize(made, s_whole), JsonSerializer.Serialize(JsonReportReader.Read(Written(scene, allStacks)), s_whole));
        }
    }

    [Fact]
    public void Some_report_has_each_of_its_parts()
    {
        HangReport[] all = [.. NamedScenes.All.Values.Select(s => s()).Select(s => HangReports.Of(s.Snapshot, s.Result, true))];
        Assert.Contains(all, r => r.Focus is { Frames.IsEmpty: false, Role.Length: > 0 });
        Assert.Contains(all, r => r.Modules.Length > 1);
        Assert.Contains(all, r => r.Source.Earlier is not null);
        Assert.Contains(all, r => !r.Unanswered.IsEmpty);
        Assert.Contains(all, r => !r.Problems.IsEmpty);
        Assert.Contains(all, r => r.Verdicts.Any(v => v.Culprit is not null));
        Assert.All(all, r => Assert.True(r.Focus is null || r.Verdicts.IsEmpty));
    }

    [Fact]
    public void Report_of_another_version_is_read()
    {
        HangReport report = Read("""
            {"schema":"dump-report/1","new":{"x":[1]},"source":{"name":"a.dmp","colour":7},"verdicts":[{"id":"DUMP1002","confidence":"Likely","chain":[{"thread":1,"resource":{"kind":"QuantumLock"}}],
            "stacks":[{"thread":1,"frames":[{"index":0,"trust":"Oracle","function":"f"}]}]}],"modules":null,"undecidable":false,"detectors":[{"id":"DUMP1001","outcome":"NotDetected"}]}
            """);
        ReportedVerdict verdict = Assert.Single(report.Verdicts);
        Assert.Equal(Confidence.Likely, verdict.Confidence);
        Assert.Equal(ResourceKind.Unknown, Assert.Single(verdict.Chain).Resource.Kind);
        Assert.Equal(FrameTrust.Scan, Assert.Single(Assert.Single(verdict.Stacks).Frames).Trust);
        Assert.Null(report.Process.Name);
        Assert.Empty(report.Unanswered);
    }

    /// <summary>
    /// A name that decides has no stand-in: reading another one for it would be a finding that nobody made, or an all-clear that nobody gave.
    /// </summary>
    [Theory]
    [InlineData("""{"id":"DUMP1002","confidence":"Certain"}""", "", "\"confidence\" is 'Certain', which this version does not know")]
    [InlineData("""{"id":"DUMP1002","confidence":"2"}""", "", "\"confidence\" is '2', which this version does not know")]
    [InlineData("""{"id":"DUMP1002","confidence":"likely"}""", "", "\"confidence\" is 'likely', which this version does not know")]
    [InlineData("""{"id":"DUMP1002"}""", "", "\"confidence\" is missing")]
    [InlineData("""{"id":"DUMP1002","confidence":"Likely","claims":[{"text":"x","confidence":"\u001b[2J"}]}""", "",
        "\"confidence\" is '?[2J', which this version does not know")]
    [InlineData("", """{"id":"DUMP1001","outcome":"Postponed"}""", "\"outcome\" is 'Postponed', which this version does not know")]
    [InlineData("", """{"id":"DUMP1001"}""", "\"outcome\" is missing")]
    public void Deciding_name_that_is_not_known_makes_the_report_unreadable(string verdict, string outcome, string expected)
    {
        Assert.Equal(expected, Assert.Throws<InvalidReportException>(() =>
            Read($$"""{"schema":"dump-report/1","source":{},"undecidable":false,"verdicts":[{{verdict}}],"detectors":[{{outcome}}]}""")).Message);
    }

    [Theory]
    [InlineData("undecidable")]
    [InlineData("verdicts")]
    [InlineData("detectors")]
    public void Report_that_says_nothing_does_not_say_that_nothing_was_found(string field)
    {
        const string Whole = """{"schema":"dump-report/1","source":{},"undecidable":false,"verdicts":[],"detectors":[]}""";
        Assert.Empty(Read(Whole).Verdicts);
        Assert.Equal($"it has no \"{field}\"", Assert.Throws<InvalidReportException>(() =>
            Read(Whole.Replace($"\"{field}\"", "\"x\"", StringComparison.Ordinal))).Message);
    }

    [Theory]
    [InlineData("InsufficientData", true)]
    [InlineData("Failed", true)]
    [InlineData("NotDetected", false)]
    public void Detectors_decide_whether_nothing_found_is_an_answer(string outcome, bool isUndecidable) => Assert.Equal(isUndecidable, Read(
        $$"""{"schema":"dump-report/1","source":{},"undecidable":false,"verdicts":[],"detectors":[{"id":"DUMP1001","outcome":"{{outcome}}"}]}""")
            .IsUndecidable);

    [Theory]
    [InlineData("")]
    [InlineData("[]")]
    [InlineData("null")]
    [InlineData("{\"schema\":\"dump-report/1\"")]
    [InlineData("{\"schema\":\"dump-report/1\"}")]
    [InlineData("{\"schema\":\"dump-report/2\",\"source\":{}}")]
    [InlineData("{\"schema\":\"dump-report/1\",\"source\":[]}")]
    [InlineData("{\"schema\":\"dump-report/1\",\"source\":{\"size\":\"big\"}}")]
    [InlineData("{\"schema\":\"dump-report/1\",\"source\":{\"captured\":\"yesterday\"}}")]
    [InlineData("{\"schema\":\"dump-report/1\",\"source\":{\"name\":\"\\ud800\"}}")]
    [InlineData("{\"schema\":\"dump-report/1\",\"source\":{},\"verdicts\":{}}")]
    [InlineData("{\"schema\":\"dump-report/1\",\"source\":{},\"verdicts\":[7]}")]
    [InlineData("{\"schema\":\"dump-report/1\",\"source\":{},\"verdicts\":[{}]}")]
    [InlineData("{\"schema\":\"dump-report/1\",\"source\":{},\"undecidable\":1}")]
    [InlineData("{\"schema\":\"dump-report/1\",\"source\":{},\"process\":{\"id\":-1}}")]
    [InlineData("{\"schema\":\"dump-report/1\",\"source\":{},\"focus\":{\"thread\":1,\"frames\":[{\"index\":0,\"moduleOffset\":\"12\"}]}}")]
    [InlineData("{\"schema\":\"dump-report/1\",\"source\":{},\"verdicts\":[{\"id\":\"DUMP1002\",\"confidence\":\"Likely\",\"threads\":[4294967296]}]}")]
    public void Damaged_report_is_refused(string text)
    {
        // Of fields that stand twice the last one counts: each text is refused for its own damage.
        const string Schema = "\"schema\":\"dump-report/1\",";
        Assert.Throws<InvalidReportException>(() => Read(text.Replace(Schema, Schema + "\"undecidable\":false,\"verdicts\":[],\"detectors\":[],",
            StringComparison.Ordinal)));
    }

    [Fact]
    public void Lists_without_end_are_refused() => Assert.Contains("more than", Assert.Throws<InvalidReportException>(() => Read(
        $$"""{"schema":"dump-report/1","source":{},"verdicts":[{{string.Join(',', Enumerable.Repeat("{\"id\":\"DUMP1002\",\"confidence\":\"Likely\"}", 10_001))}}]}""")).Message, StringComparison.Ordinal);

    [Fact]
    public void Texts_are_cleaned() => Assert.DoesNotContain('\u001b', Read(
        "{\"schema\":\"dump-report/1\",\"undecidable\":true,\"verdicts\":[],\"detectors\":[],\"source\":{\"name\":\"\\u001b[7m\"}}").Source.DisplayName);

    /// <summary>Damage anywhere: either it is still a report or it is refused as one.</summary>
    [Fact]
    public void Damaged_bytes_never_lead_to_another_error()
    {
        byte[] sound = Written(SceneOf("scenes/two-verdicts"), false);
        Random random = new(4711);
        int refused = 0;
        for (int i = 0; i < 2_000; i++)
        {
            byte[] bytes = [.. sound];
            for (int damage = random.Next(1, 4); damage > 0; damage--)
            {
                bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
            }

            try
            {
                JsonReportReader.Read(bytes.AsMemory(0, random.Next(10) == 0 ? random.Next(bytes.Length) : bytes.Length));
            }
            catch (InvalidReportException)
            {
                refused++;
            }
        }

        Assert.InRange(refused, 100, 1_999);
    }

    private static HangReport Read(string text) => JsonReportReader.Read(Encoding.UTF8.GetBytes(text));

    private static Scene SceneOf(string name) => NamedScenes.All[name]();

    private static byte[] Written(Scene scene, bool allStacks)
    {
        using MemoryStream bytes = new();
        JsonReport.Write(HangReports.Of(scene.Snapshot, scene.Result, allStacks), bytes);
        return bytes.ToArray();
    }
}
