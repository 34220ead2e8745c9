using System.Text.Json;
using Dump.Testing;
using Dump.Testing.Fixtures;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>The committed dumps get the verdicts of their manifest, on the threads and locks that the samples themselves named.</summary>
public sealed class FixtureVerdictTests
{
    public static TheoryData<string> Names => [.. Fixture.All.Select(f => f.Name)];

    [Theory]
    [MemberData(nameof(Names))]
    public void Fixture_gets_the_verdict_of_its_manifest(string name)
    {
        Fixture fixture = Fixture.Named(name);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(fixture.Path);
        // One dump of an owner that computes does not tell for how long.
        VerdictAssert.Is(name is "spin-owner" or "head-blocker" ? $"{fixture.ExpectedVerdict} Suspected" : fixture.ExpectedVerdict, exitCode, report);
    }

    [Fact]
    public void Loader_exit_names_both_threads_both_locks_and_the_plug_in()
    {
        Fixture fixture = Fixture.Named("loader-exit");
        (int exitCode, JsonElement report) = DumpAnalyze.Json(fixture.Path);
        Assert.Equal(11, exitCode);
        Assert.Equal([fixture.Threads["exiting"][0], fixture.Threads["loading"][0]], VerdictAssert.Threads(report));
        string[] resources = VerdictAssert.Resources(report);
        Assert.Contains($"SpinLock 0x{fixture.Address("spin-lock"):x}", resources);
        Assert.Contains(resources, r => r.StartsWith("LoaderLock 0x", StringComparison.Ordinal));
        JsonElement culprit = report.Member("verdicts")[0].Member("culprit");
        Assert.Equal("mathplug.dll", culprit.Member("module").GetString());
        Assert.Equal("TLS callback (thread detach)", culprit.Member("callback").GetString());
    }

    [Fact]
    public void What_is_proven_stays_confirmed_beside_what_is_inferred()
    {
        (_, JsonElement report) = DumpAnalyze.Json(Fixture.Named("loader-exit").Path);
        string[] confidences = [.. report.Member("verdicts")[0].Member("claims").EnumerateArray()
            .Select(c => c.Member("confidence").GetString()!)];
        Assert.Equal(["Confirmed", "Confirmed", "Confirmed", "Likely"], confidences);
    }

    [Fact]
    public void Victims_are_counted_and_not_part_of_the_cycle()
    {
        Fixture fixture = Fixture.Named("loader-exit-victims");
        (_, JsonElement report) = DumpAnalyze.Json(fixture.Path);
        Assert.Equal([fixture.Threads["exiting"][0], fixture.Threads["loading"][0]], VerdictAssert.Threads(report));
        uint[] expected = [.. fixture.Threads.Where(role => role.Key.StartsWith("victim-", StringComparison.Ordinal)).SelectMany(role => role.Value).Order()];
        Assert.Equal(6, expected.Length);
        Assert.Equal(expected, VerdictAssert.Victims(report));
        Assert.Equal(fixture.Threads["victim-exit"].Order(), VerdictAssert.Victims(report, "ExitingThread"));
        Assert.Equal(fixture.Threads["victim-start"].Order(), VerdictAssert.Victims(report, "StartingThread"));
        Assert.Equal(fixture.Threads["victim-load"].Order(), VerdictAssert.Victims(report, "Thread"));
        string text = DumpAnalyze.Run(fixture.Path).Output;
        Assert.Contains("    2 exiting threads (", text, StringComparison.Ordinal);
        Assert.Contains("    2 starting threads (", text, StringComparison.Ordinal);
    }
}
