using System.Text.Json;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>
/// Hangs under Wine and their healthy twins that stand or go on whatever the machine does: what one dump says, and what two of one process say. Samples that
/// burn processor time are in <see cref="BusyProgramTests"/>.
/// </summary>
public sealed class LabPairTests
{
    private const int SecondsApart = 9;

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("pool-callbacks", "DUMP1002 Likely", "DUMP1002 Likely")]
    [InlineData("pipe-readers", "DUMP1005 Suspected", "DUMP1005 Likely")]
    public void Hang_is_seen_in_one_dump_and_in_two(string sample, string one, string two)
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        string[] words = sample.Split(' ');
        (LabDump first, string second) = WineLab.Shared.DumpTwice(SecondsApart, words[0], words[1..]);
        Assert.Equal([one, one, two], [Answer(first.Path), Answer(second), Answer(first.Path, second)]);
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("suspended-owner", "DUMP1008 Suspected", "DUMP1008 Likely")]
    [InlineData("loader-event", "DUMP1009 Suspected", "DUMP1009 Likely")]
    [InlineData("loader-event --healthy", "0", "0")]
    [InlineData("posix-mutexes", "13", "13")]
    [InlineData("posix-mutexes --apart", "0", "0")]
    [InlineData("head-blocker --few", "13", "DUMP1005 Likely")]
    [InlineData("join-section", "DUMP1002 Likely", "DUMP1002 Likely")]
    [InlineData("join-section --alertable", "DUMP1002 Suspected", "DUMP1002 Suspected")]
    [InlineData("timed-wait", "0", "0")]
    public void Further_samples_are_judged_in_one_dump_and_in_two(string sample, string one, string two) =>
        Hang_is_seen_in_one_dump_and_in_two(sample, one, two);

    /// <summary>The only verdict with its confidence, or the exit code where there is none.</summary>
    private static string Answer(string first, params string[] more)
    {
        (int exitCode, JsonElement report) = DumpAnalyze.Json(first, more);
        JsonElement[] verdicts = [.. report.Member("verdicts").EnumerateArray()];
        return verdicts.Length == 0 ? $"{exitCode}" : string.Join(", ",
            verdicts.Select(v => $"{v.Member("id").GetString()} {v.Member("confidence").GetString()}"));
    }
}
