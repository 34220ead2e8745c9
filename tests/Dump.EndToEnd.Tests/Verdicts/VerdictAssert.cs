using System.Text.Json;
using Dump.Testing;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>Compares a JSON report with what is known of a dump.</summary>
internal static class VerdictAssert
{
    private const string Suspicion = " Suspected";

    /// <summary>
    /// Exactly the expected verdict, which is more than a suspicion unless <c>Suspected</c> stands behind its id; for null none at all, with exit code 0; for
    /// DUMP9001 "cannot decide" with capture advice. Several ids, with blanks between them, where several things hang.
    /// </summary>
    /// <param name="expected">The verdicts.</param>
    /// <param name="exitCode">The program's exit code.</param>
    /// <param name="report">Its report.</param>
    /// <param name="amongWork">
    /// Whether the program is also at work on other things, each thread of which may be suspected of running away when it is found executing code.
    /// </param>
    public static void Is(string? expected, int exitCode, JsonElement report, bool amongWork = false)
    {
        if (expected?.EndsWith(Suspicion, StringComparison.Ordinal) == true)
        {
            IsSuspected(expected[..^Suspicion.Length], exitCode, report);
            return;
        }

        JsonElement[] verdicts = [.. report.Member("verdicts").EnumerateArray().Where(v => !(amongWork && IsSuspectedOfRunningAway(v)))];
        string[] ids = [.. verdicts.Select(v => v.Member("id").GetString()!)];
        if (expected is null)
        {
            Assert.True(ids.Length == 0, $"not none: {report.Shown()}");
            Assert.False(report.Member("undecidable").GetBoolean(), Unanswered(report));
            Assert.Equal(report.Member("verdicts").GetArrayLength() == 0 ? 0 : 12, exitCode);
        }
        else if (expected == "DUMP9001")
        {
            Assert.True(ids.Length == 0, $"not none: {report.Shown()}");
            Assert.True(report.Member("undecidable").GetBoolean(), report.TryGetProperty("openWaits", out JsonElement open) ? open.GetRawText()
                : "no open waits");
            Assert.Equal(report.Member("verdicts").GetArrayLength() == 0 ? 13 : 12, exitCode);
            Assert.Matches("procdump -ma|createdump --full|dotnet-dump collect|dumpanalyze (tasks )?live [0-9]", report.Member("detectors").GetRawText());
        }
        else
        {
            Assert.True(expected.Split(' ').SequenceEqual(ids) && exitCode is 10 or 11, $"not {expected} but exit code {exitCode}: {report.Shown()}");
        }
    }

    private static bool IsSuspectedOfRunningAway(JsonElement verdict) =>
        verdict.Member("id").GetString() == "DUMP2002" && verdict.Member("confidence").GetString() == "Suspected";

    /// <summary>Which detectors lacked what, for the message of a failed test.</summary>
    private static string Unanswered(JsonElement report) => string.Join(
        '\n', report.Member("detectors").EnumerateArray().Where(d => d.Member("outcome").GetString() is "InsufficientData" or "Failed")
            .Select(d => d.GetRawText()));

    /// <summary>Exactly one verdict, which is only suspected and so fails nothing; nor is it an all-clear where a detector lacked data.</summary>
    public static void IsSuspected(string expected, int exitCode, JsonElement report)
    {
        Assert.True(report.Member("verdicts").GetArrayLength() == 1, $"not {expected} alone: {report.Shown()}");
        JsonElement verdict = report.Member("verdicts")[0];
        Assert.Equal((expected, "Suspected"), (verdict.Member("id").GetString(), verdict.Member("confidence").GetString()));
        Assert.Equal(12, exitCode);
    }

    /// <summary>Nothing that is more than a suspicion: what a healthy program may get while it works.</summary>
    public static void IsAtMostSuspected(JsonElement report) =>
        Assert.True(
            report.Member("verdicts").EnumerateArray().All(v => v.Member("confidence").GetString() == "Suspected"), $"more than suspected: {report.Shown()}");

    /// <summary>The threads that queue behind the only verdict, ascending; only those of a kind where one is given.</summary>
    public static uint[] Victims(JsonElement report, string? kind = null) =>
    [
        .. report.Member("verdicts")[0].Member("victims").EnumerateArray()
            .Where(g => kind is null || g.Member("kind").GetString() == kind)
            .SelectMany(g => g.Member("threads").EnumerateArray()).Select(t => t.GetUInt32()).Order(),
    ];

    /// <summary>The threads of the only verdict, ascending.</summary>
    public static uint[] Threads(JsonElement report) =>
        [.. report.Member("verdicts")[0].Member("threads").EnumerateArray().Select(t => t.GetUInt32()).Order()];

    /// <summary>The functions on the stack of a thread of the only verdict, innermost first; empty text for a frame without a name.</summary>
    public static string[] Functions(JsonElement report, uint thread) =>
    [
        .. report.Member("verdicts")[0].Member("stacks").EnumerateArray().Single(s => s.Member("thread").GetUInt32() == thread)
            .Member("frames").EnumerateArray().Select(f => f.TryGetProperty("function", out JsonElement name) ? name.GetString() ?? "" : ""),
    ];

    /// <summary>The resources of the only verdict's chain as <c>Kind 0xaddress</c>.</summary>
    public static string[] Resources(JsonElement report) =>
    [
        .. report.Member("verdicts")[0].Member("chain").EnumerateArray()
            .Select(l => l.Member("resource"))
            .Select(r => $"{r.Member("kind").GetString()} {r.Member("identity").GetString()}"),
    ];

    /// <summary>
    /// The only verdict's chain is exactly these waits, whichever of them it begins with: a cycle begins with its lowest thread id, and the system gives ids in
    /// no order.
    /// </summary>
    public static void Cycle(JsonElement report, params (uint Thread, string Resource)[] waits)
    {
        uint[] threads = [.. report.Member("verdicts")[0].Member("chain").EnumerateArray().Select(l => l.Member("thread").GetUInt32())];
        Assert.Equal(waits.OrderBy(w => w.Thread), threads.Zip(Resources(report)).OrderBy(w => w.First));
        Assert.Equal(waits.Select(w => w.Thread).Order(), Threads(report));
    }
}
