using System.Text.Json;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Windows;

/// <summary>
/// Native samples and their healthy twins, looked at while they live under Wine, get the verdicts of their dumps. Windows itself has not been tried.
/// </summary>
public sealed class WindowsLiveVerdictTests
{
    public static TheoryData<string, string, string?> Samples => new()
    {
        { "loader-exit", "", "DUMP1001" },
        { "loader-attach", "--healthy", null },
        { "cs-cycle2", "", "DUMP1002" },
        { "head-blocker", "", "DUMP1005 Suspected" },
        { "idle", "", null },
    };

    /// <summary>More of the same.</summary>
    public static TheoryData<string, string, string?> FurtherSamples => new()
    {
        { "loader-attach", "", "DUMP1001" },
        { "loader-join", "", "DUMP1004" },
        { "loader-join", "--healthy", null },
        { "loader-exit", "--healthy", null },
        { "cs-orphan", "", "DUMP1003" },
        { "head-blocker", "--healthy", "DUMP9001" },
        { "init-once", "", "DUMP1002" },
        { "process-exit", "", "DUMP1003" },
        { "slow-owner", "", "DUMP9001" },
        { "timed-wait", "", null },
        { "join-section", "", "DUMP1002" },
        { "join-section", "--alertable", "DUMP1002 Suspected" },
        { "wait-all", "", "DUMP1002" },
        { "mutex-cycle", "", "DUMP9001" },
        { "cs-cycle3", "", "DUMP1002" },
        { "diamond", "", "DUMP9001" },
    };

    [SkippableTheory]
    [MemberData(nameof(Samples))]
    public void Living_process_gets_the_verdict_of_its_dump(string sample, string option, string? expected)
    {
        Skip.If(WindowsLook.Unavailable is not null, WindowsLook.Unavailable);
        using WineSample living = WineSample.Start(option.Length == 0 ? [sample] : [sample, option]);
        (int exitCode, JsonElement report, string errors) = WindowsLook.At(living);
        VerdictAssert.Is(expected, exitCode, report);
        Assert.Matches($"^dumpanalyze: process {living.Facts.ProcessId} was stopped (2 times )?for [0-9]+ ms( in all)? and runs on\n$", errors);
        Assert.StartsWith("living Windows process", report.Member("source").Member("kind").GetString(), StringComparison.Ordinal);
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(FurtherSamples))]
    public void Further_living_process_gets_the_verdict_of_its_dump(string sample, string option, string? expected) =>
        Living_process_gets_the_verdict_of_its_dump(sample, option, expected);
}
