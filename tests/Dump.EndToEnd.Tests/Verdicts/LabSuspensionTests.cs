using System.Text.Json;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>
/// Threads that somebody has suspended, and callbacks that block the loader, hung for real under Wine and dumped from outside while the process is stopped.
/// </summary>
public sealed class LabSuspensionTests
{
    private const string Suspended = "suspended (count 1 above what the dump's writer gives)";

    private static LabDump Dump(string sample, params string[] options)
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        return WineLab.Shared.Dump(sample, DumpKind.Full, options);
    }

    /// <summary>The counts of the JSON report's threads that stand out, by thread id.</summary>
    private static Dictionary<uint, int> Above(JsonElement report) => report.Member("threads").EnumerateArray()
        .Where(t => t.TryGetProperty("suspendedAbove", out JsonElement above) && above.GetInt32() > 0)
        .ToDictionary(t => t.Member("id").GetUInt32(), t => t.Member("suspendedAbove").GetInt32());

    [SkippableFact]
    public void Suspended_owner_of_a_lock_is_suspected()
    {
        LabDump dump = Dump("suspended-owner");
        (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.Path);
        VerdictAssert.IsSuspected("DUMP1008", exitCode, report);
        Assert.Equal([dump.Thread("owner")], VerdictAssert.Threads(report));
        Assert.Equal(dump.Threads["waiter"].Order(), VerdictAssert.Victims(report));
        Assert.Equal(new Dictionary<uint, int> { [dump.Thread("owner")] = 1 }, Above(report));
        RenamedDump.CheckMinidump(dump.Path);
    }

    /// <summary>The suspended thread holds nothing, and the owner sleeps for a while.</summary>
    [SkippableFact]
    [Trait("Category", "Slow")]
    public void Suspended_thread_that_owns_nothing_is_said_and_no_verdict()
    {
        LabDump dump = Dump("suspended-owner", "--healthy");
        (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.Path);
        Assert.DoesNotContain(report.Member("verdicts").EnumerateArray(), v => v.Member("confidence").GetString() != "Suspected"
            || v.Member("id").GetString() == "DUMP1008");
        Assert.Contains(exitCode, (int[])[0, 12, 13]);
        Assert.Equal(new Dictionary<uint, int> { [dump.Thread("suspended")] = 1 }, Above(report));
        Assert.Contains(Suspended, DumpAnalyze.Run("threads", dump.Path).Output, StringComparison.Ordinal);
    }

    /// <summary>A writer that records no counts: then nothing is known of suspended threads, and nothing is said.</summary>
    [SkippableFact]
    public void Torn_dump_tells_nothing_of_suspended_threads()
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        LabDump dump = WineLab.Shared.DumpTorn("suspended-owner", DumpKind.Full);
        (_, JsonElement report) = DumpAnalyze.Json(dump.Path);
        Assert.Empty(Above(report));
        Assert.DoesNotContain("suspendedAbove", report.GetRawText(), StringComparison.Ordinal);
        Assert.DoesNotContain(report.Member("verdicts").EnumerateArray(), v => v.Member("id").GetString() == "DUMP1008");
    }

    [SkippableFact]
    public void DllMain_that_waits_for_its_own_new_thread_is_suspected()
    {
        LabDump dump = Dump("loader-event");
        (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.Path);
        VerdictAssert.IsSuspected("DUMP1009", exitCode, report);
        Assert.Equal([dump.Thread("loading")], VerdictAssert.Threads(report));
        Assert.Equal([dump.Thread("new")], VerdictAssert.Victims(report, "StartingThread"));
        Assert.Equal("waitplug.dll", report.Member("verdicts")[0].Member("culprit").Member("module").GetString());
        RenamedDump.CheckMinidump(dump.Path);
    }

    [SkippableFact]
    public void DllMain_that_computes_while_threads_start_is_never_likely()
    {
        (_, JsonElement report) = DumpAnalyze.Json(Dump("loader-event", "--busy").Path);
        Assert.All(report.Member("verdicts").EnumerateArray(), v => Assert.Equal("Suspected", v.Member("confidence").GetString()));
        Assert.DoesNotContain(report.Member("verdicts").EnumerateArray(), v => v.Member("id").GetString() == "DUMP1009");
    }

    [SkippableFact]
    [Trait("Category", "Slow")]
    public void DllMain_that_only_makes_a_thread_is_no_verdict()
    {
        (int exitCode, JsonElement report) = DumpAnalyze.Json(Dump("loader-event", "--healthy").Path);
        VerdictAssert.Is(null, exitCode, report);
    }
}
