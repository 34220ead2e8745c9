using System.Text.Json;
using Dump.EndToEnd.Tests.Lab;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>Busy programs under Wine: no look at a healthy one is more than a suspicion; their twins that came to a stop are accused by two dumps.</summary>
[Collection(Undisturbed.Name)]
public sealed class BusyProgramTests
{
    /// <summary>Far enough apart that nobody who stands is merely slow.</summary>
    private const int SecondsApart = 9;

    private const int MostAttempts = 3;

    public static TheoryData<string> Healthy => ["busy-clients", "busy-readers", "busy-pollers"];

    [SkippableTheory]
    [MemberData(nameof(Healthy))]
    public void Healthy_program_is_never_more_than_suspected(string sample) => Look(sample, 2);

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(Healthy))]
    public void Healthy_program_is_never_more_than_suspected_in_thirty_looks(string sample) => Look(sample, 30);

    [SkippableTheory]
    [InlineData("busy-clients", "DUMP1005", null)]
    [InlineData("busy-readers", "DUMP2001", "owner")]
    [InlineData("busy-pollers", "DUMP2001", "poller")]
    public void Twin_that_came_to_a_stop_is_suspected_in_one_dump_and_likely_in_two(string sample, string expected, string? computing)
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        string found = "";
        for (int attempt = 0; attempt < MostAttempts; attempt++)
        {
            (LabDump first, string second) = WineLab.Shared.DumpTwice(SecondsApart, sample, "--stopped");
            string[] one = Verdicts(DumpAnalyze.Json(second).Report), both = Verdicts(DumpAnalyze.Json(first.Path, second).Report);
            found = $"{string.Join(", ", one)} in one, {string.Join(", ", both)} in two";
            if (one.Contains($"{expected} Suspected") && both is [var verdict] && verdict == $"{expected} Likely")
            {
                return;
            }

            // On a busy machine a thread that computes gets too little of the time to be told from one that works now and then.
            Assert.All([.. one, .. both], v => Assert.EndsWith(" Suspected", v, StringComparison.Ordinal));
            bool isStarved = computing is not null && first.Threads[computing].All(t => ProcessorShare.Of(second, t).IsStarved);
            Assert.True(isStarved || (one.Contains($"{expected} Suspected") && both is [_] && both[0] == $"{expected} Suspected"), found);
        }

        Skip.If(true, $"the machine was too busy for {sample}: {found}");
    }

    /// <summary>Each look at a program of its own.</summary>
    private static void Look(string sample, int looks)
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        for (int look = 0; look < looks; look += 2)
        {
            (LabDump first, string second) = WineLab.Shared.DumpTwice(SecondsApart, sample);
            foreach (string[] dumps in (string[][])[[first.Path], [second], [first.Path, second]])
            {
                Assert.All(Verdicts(DumpAnalyze.Json(dumps[0], dumps[1..]).Report), v => Assert.EndsWith(" Suspected", v, StringComparison.Ordinal));
            }
        }
    }

    private static string[] Verdicts(JsonElement report) =>
        [.. report.GetProperty("verdicts").EnumerateArray().Select(v => $"{v.GetProperty("id").GetString()} {v.GetProperty("confidence").GetString()}")];
}
