using System.Text.Json;
using Dump.Analysis;
using Dump.Model.Facts;
using Dump.Model.Merging;
using Dump.Model.Reported;
using Dump.Model.Verdicts;
using Dump.Reports.Tests.Scenes;
using Dump.Testing;

namespace Dump.Reports.Tests.Triage;

/// <summary>The SARIF file of a folder against what SARIF 2.1.0 demands of the parts that are used.</summary>
public sealed class OverviewSarifTests
{
    [Theory]
    [InlineData(Confidence.Confirmed, "error,note,note")]
    [InlineData(Confidence.Likely, "error,error,note")]
    [InlineData(Confidence.Suspected, "error,error,error")]
    public void Levels_follow_the_given_confidence(Confidence failOn, string levels) =>
        Assert.Equal(levels, string.Join(',', Run(FolderScene.Make(), failOn).Member("results").EnumerateArray()
            .Select(r => r.Member("level").GetString())));

    /// <summary>Sections 3.27.5 (ruleId), 3.27.6 (ruleIndex), 3.27.10 (level), 3.11 (message), 3.27.17 (fingerprints), 3.27.15 (occurrenceCount).</summary>
    [Fact]
    public void Results_refer_to_their_rules_and_carry_the_class_hash()
    {
        TriageOverview overview = FolderScene.Make();
        JsonElement run = Run(overview, Confidence.Likely);
        JsonElement[] rules = [.. run.Member("tool").Member("driver").Member("rules").EnumerateArray()];
        Assert.Equal(DetectorRegistry.Descriptors.Select(d => d.Id), rules.Select(r => r.Member("id").GetString()));
        JsonElement[] results = [.. run.Member("results").EnumerateArray()];
        Assert.Equal(overview.Hangs.Length, results.Length);
        foreach ((JsonElement result, TriageBucket bucket) in results.Zip(overview.Hangs))
        {
            Assert.Equal(result.Member("ruleId").GetString(), rules[result.Member("ruleIndex").GetInt32()].Member("id").GetString());
            Assert.Equal(bucket.Signature.ClassHash, result.Member("fingerprints").Member("hangClass/v1").GetString());
            Assert.Equal(bucket.Signature.ClassHash, result.Member("partialFingerprints").Member("primaryLocationLineHash").GetString());
            Assert.Equal(bucket.Records.Length, result.Member("occurrenceCount").GetInt32());
            Assert.StartsWith(bucket.Title, result.Member("message").Member("text").GetString(), StringComparison.Ordinal);
        }
    }

    /// <summary>Sections 3.4.3 and 3.4.4: addresses are relative, percent-encoded, and their base is one that the run declares.</summary>
    [Fact]
    public void Locations_are_relative_addresses_below_the_folder()
    {
        JsonElement run = Run(HostileFolder.Overview("C:/a b/../%2e/#x?.dmp"), Confidence.Likely);
        JsonElement place = run.Member("results")[0].Member("locations")[0].Member("physicalLocation").Member("artifactLocation");
        string address = place.Member("uri").GetString()!;
        Assert.Equal("C%3A/a%20b/../%252e/%23x%3F.dmp", address);
        Assert.True(run.Member("originalUriBaseIds").TryGetProperty(place.Member("uriBaseId").GetString()!, out _));
    }

    /// <summary>Sections 3.27.22 (relatedLocations), 3.29 (physicalLocation), 3.30 (region): where to read the code, with the line where it is known.</summary>
    [Fact]
    public void Places_to_look_at_are_related_locations()
    {
        TriageOverview overview = FolderScene.Make();
        TriageRecord record = overview.Hangs[0].Records[0];
        ReportedVerdict verdict = record.Report!.Verdicts[0] with
        {
            LookAt = [new CodePlace(7, "shop!sell_goods") { Source = new SourceLocation("/_/src/shop.c", 17) { Column = 5 } }, new CodePlace(8, "shop+0x10")],
        };
        record = record with { Report = record.Report with { Verdicts = [verdict] } };
        JsonElement[] related = [.. Run(overview with { Hangs = [overview.Hangs[0] with { Records = [record] }] }, Confidence.Likely).Member("results")[0]
            .Member("relatedLocations").EnumerateArray()];
        JsonElement place = related[0].Member("physicalLocation");
        Assert.Equal("src/shop.c", place.Member("artifactLocation").Member("uri").GetString());
        Assert.Equal((17, 5), (place.Member("region").Member("startLine").GetInt32(), place.Member("region").Member("startColumn").GetInt32()));
        Assert.Equal("Look at shop!sell_goods shop.c:17 (thread 7).", related[0].Member("message").Member("text").GetString());
        Assert.False(related[1].TryGetProperty("physicalLocation", out _));
        Assert.Equal("shop+0x10", related[1].Member("logicalLocations")[0].Member("fullyQualifiedName").GetString());
    }

    [Fact]
    public void What_cannot_be_decided_or_failed_is_a_notification()
    {
        JsonElement run = Run(FolderScene.Make(), Confidence.Likely);
        JsonElement[] notifications = [.. run.Member("invocations")[0].Member("toolExecutionNotifications").EnumerateArray()];
        Assert.Equal("warning,error,error,error,error,error,error", string.Join(',', notifications.Select(n => n.Member("level").GetString())));
        string[] declared = [.. run.Member("tool").Member("driver").Member("notifications").EnumerateArray()
            .Select(n => n.Member("id").GetString()!)];
        Assert.All(notifications, n => Assert.Contains(n.Member("descriptor").Member("id").GetString(), declared));
    }

    /// <summary>Appendix I: with an error among the notifications the results cannot be assumed to be complete.</summary>
    [Fact]
    public void Execution_counts_as_successful_only_when_nothing_is_unknown()
    {
        TriageOverview overview = FolderScene.Make() with { Failed = [], PassedOver = [] };
        Assert.True(Invocation(overview).Member("executionSuccessful").GetBoolean());
        foreach (TriageGap gap in FolderScene.Make().PassedOver)
        {
            JsonElement invocation = Invocation(overview with { PassedOver = [gap] });
            Assert.False(invocation.Member("executionSuccessful").GetBoolean());
            JsonElement last = invocation.Member("toolExecutionNotifications").EnumerateArray().Last();
            Assert.Equal(("error", $"{gap.Path}: {gap.Message}"), (last.Member("level").GetString(), last.Member("message").Member("text")
                .GetString()));
        }

        Assert.False(Invocation(overview with { Failed = FolderScene.Make().Failed }).Member("executionSuccessful").GetBoolean());
    }

    [Theory]
    [InlineData(Confidence.Suspected, 0)]
    [InlineData(Confidence.Likely, 1)]
    public void What_does_not_count_is_a_warning_where_data_are_missing(Confidence failOn, int warnings) =>
        Assert.Equal(warnings, Run(OpenFolder.Make(), failOn).Member("invocations")[0].Member("toolExecutionNotifications").GetArrayLength());

    [Fact]
    public void Detector_that_this_version_does_not_know_becomes_a_rule()
    {
        JsonElement run = Run(HostileFolder.Overview("DUMP7777"), Confidence.Likely);
        Assert.Equal("DUMP7777", run.Member("tool").Member("driver").Member("rules").EnumerateArray().Last().Member("id").GetString());
    }

    private static JsonElement Invocation(TriageOverview overview) => Run(overview, Confidence.Likely).Member("invocations")[0];

    private static JsonElement Run(TriageOverview overview, Confidence failOn) => JsonDocument.Parse(ReportTexts.Sarif(overview, failOn, _ => true))
        .RootElement.Member("runs")[0];
}
