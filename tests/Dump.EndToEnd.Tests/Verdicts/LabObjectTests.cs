using System.Globalization;
using System.Text.Json;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>
/// Waits for kernel objects in real processes: Microsoft's writer records threads, processes, events and the counts of mutexes also under Wine, but no owners
/// of mutexes.
/// </summary>
public sealed class LabObjectTests
{
    [SkippableTheory]
    [InlineData("join-section")]
    [InlineData("wait-all")]
    public void Joiner_and_joined_are_the_cycle(string sample)
    {
        (LabDump dump, int exitCode, JsonElement report) = Run(sample);
        Assert.Equal(11, exitCode);
        VerdictAssert.Cycle(
            report,
            (dump.Thread("joined"), $"CriticalSection 0x{dump.Addresses["section"]:x}"),
            (dump.Thread("joiner"), $"Thread 0x{dump.Thread("joined"):x}"));
    }

    [SkippableFact]
    public void All_64_objects_of_a_wait_are_read_with_their_states()
    {
        (LabDump dump, _, JsonElement report) = Run("wait-all");
        JsonElement[] waits = Waits(report, dump.Thread("joiner"));
        Assert.Equal(64, waits.Length);
        Assert.All(waits, w => Assert.False(w.Member("any").GetBoolean()));
        Assert.All(waits[..63], w => Assert.Equal(("Event", true, "manual-reset, signalled"),
            (Kind(w), w.Member("satisfied").GetBoolean(), w.Member("state").GetString())));
        Assert.Equal(("Thread", false), (Kind(waits[63]), waits[63].TryGetProperty("satisfied", out _)));
    }

    [SkippableFact]
    public void Wait_for_any_one_of_threads_that_cannot_end_is_a_deadlock_and_says_that_it_is_for_any()
    {
        (LabDump dump, int exitCode, JsonElement report) = Run("wait-any");
        Assert.Equal(11, exitCode);
        Assert.Equal([.. dump.Threads["joined"].Append(dump.Thread("joiner")).Order()], VerdictAssert.Threads(report));
        string[] texts = [.. report.Member("verdicts")[0].Member("claims").EnumerateArray().Select(c => c.Member("text").GetString()!)];
        Assert.Contains(texts, t => t.Contains("any one of other objects", StringComparison.Ordinal));
    }

    [SkippableFact]
    [Trait("Category", "Slow")]
    public void Chain_ends_at_a_wait_for_any_one_of_several_objects_when_one_of_them_is_open()
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        LabDump dump = WineLab.Shared.Dump("wait-any", DumpKind.Full, "--open");
        DumpAnalyze chains = DumpAnalyze.Run("lockchain", dump.Path, "--format", "json");
        using JsonDocument document = JsonDocument.Parse(chains.Output);
        JsonElement[] all = [.. document.RootElement.Member("chains").EnumerateArray()];
        Assert.All(all, c => Assert.False(c.Member("cycle").GetBoolean()));
        JsonElement joiner = all.Single(c => c.Member("thread").GetUInt32() == dump.Thread("joiner"));
        Assert.Equal(["Thread", "Thread", "Event"], joiner.Member("chain").EnumerateArray()
            .Select(l => l.Member("resource").Member("kind").GetString()));
        Assert.All(joiner.Member("chain").EnumerateArray(), l => Assert.True(l.Member("any").GetBoolean()));
    }

    [SkippableFact]
    public void Thread_that_waits_for_itself_is_suspected_because_some_park_themselves_that_way()
    {
        (LabDump dump, int exitCode, JsonElement report) = Run("self-join");
        Assert.Equal(12, exitCode);
        Assert.Equal([dump.Thread("joiner")], VerdictAssert.Threads(report));
        Assert.Equal("Suspected", report.Member("verdicts")[0].Member("confidence").GetString());
    }

    [SkippableFact]
    public void Child_process_is_named_by_its_id()
    {
        (LabDump dump, _, JsonElement report) = Run("process-wait");
        JsonElement wait = Assert.Single(Waits(report, dump.Thread("waiter")));
        ulong child = dump.Addresses["child-process"];
        Assert.Equal(("Process", string.Create(CultureInfo.InvariantCulture, $"id {child} (0x{child:x}), not in this dump")),
            (Kind(wait), wait.Member("state").GetString()));
    }

    [SkippableFact]
    [Trait("Category", "Slow")]
    public void Read_of_a_pipe_has_a_handle_and_an_alertable_sleep_waits_for_work()
    {
        (LabDump dump, _, JsonElement report) = Run("outside");
        JsonElement read = Assert.Single(Waits(report, dump.Thread("reader")));
        Assert.Equal("InputOutput", Kind(read));
        Assert.NotNull(read.Member("resource").Member("identity").GetString());
        Assert.Equal("Work", Kind(Assert.Single(Waits(report, dump.Thread("alertable")))));
    }

    [SkippableFact]
    public void Held_mutex_without_a_recorded_owner_is_called_that()
    {
        (LabDump dump, int exitCode, JsonElement report) = Run("mutex-section");
        Assert.Equal(13, exitCode);
        JsonElement wait = Assert.Single(Waits(report, dump.Thread("section-owner")));
        Assert.Equal(("Mutex", "held, owner not recorded"), (Kind(wait), wait.Member("state").GetString()));
    }

    private static (LabDump Dump, int ExitCode, JsonElement Report) Run(string sample)
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        LabDump dump = WineLab.Shared.Dump(sample, DumpKind.Full);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.Path);
        return (dump, exitCode, report);
    }

    private static JsonElement[] Waits(JsonElement report, uint thread) =>
        [.. report.Member("waits").EnumerateArray().Where(w => w.Member("thread").GetUInt32() == thread)];

    private static string? Kind(JsonElement wait) => wait.Member("resource").Member("kind").GetString();
}
