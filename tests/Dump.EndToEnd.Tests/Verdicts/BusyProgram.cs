using System.Text.Json;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>Looks at busy programs under Wine, in one dump and in two.</summary>
internal static class BusyProgram
{
    /// <summary>Far enough apart that nobody who stands is merely slow.</summary>
    private const int SecondsApart = 9;

    private const int MostAttempts = 3;

    /// <summary>A healthy one is never more than suspected. Each two looks are at a program of their own.</summary>
    /// <param name="command">The sample and its options.</param>
    /// <param name="looks">How many, an even number.</param>
    public static void LookAtHealthy(string command, int looks)
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        string[] words = command.Split(' ');
        for (int look = 0; look < looks; look += 2)
        {
            (LabDump first, string second) = WineLab.Shared.DumpTwice(SecondsApart, words[0], words[1..]);
            foreach (string[] dumps in (string[][])[[first.Path], [second], [first.Path, second]])
            {
                Assert.All(Verdicts(DumpAnalyze.Json(dumps[0], dumps[1..]).Report), v => Assert.EndsWith(" Suspected", v, StringComparison.Ordinal));
            }

            File.Delete(first.Path);
            File.Delete(second);
        }
    }

    /// <summary>Its twin that came to a stop is suspected in one dump and likely in two.</summary>
    /// <param name="command">The sample and its options.</param>
    /// <param name="expected">Id of the verdict.</param>
    /// <param name="computing">Role of the threads of which one must have computed for that; null for none.</param>
    public static void CheckStopped(string command, string expected, string? computing)
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        string[] words = command.Split(' ');
        string found = "";
        for (int attempt = 0; attempt < MostAttempts; attempt++)
        {
            (LabDump first, string second) = WineLab.Shared.DumpTwice(SecondsApart, words[0], words[1..]);
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

        Skip.If(true, $"the machine was too busy for {command}: {found}");
    }

    private static string[] Verdicts(JsonElement report) =>
        [.. report.Member("verdicts").EnumerateArray().Select(v => $"{v.Member("id").GetString()} {v.Member("confidence").GetString()}")];
}
