using System.Text.Json;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>
/// Real window threads, dumped in their handlers. Wine's DispatchMessageW stays on the stack under its exported name; on x64 Windows it leaves by a jump, so that only user32's symbols name
/// the frame there. That the innermost system calls are NtUserGetMessage and NtUserMessageCall is the same on both.
/// </summary>
public sealed class LabUiTests
{
    private const string Comment = "*** procdump -ma -h 66144\n*** Hung window detected: 10020";

    public static TheoryData<string, string, string, string> Stuck => new()
    {
        { "ui-lock", "", "DUMP4001", "Likely" },
        { "ui-lock", "--slow-owner", "DUMP4001", "Suspected" },
        { "ui-event", "", "DUMP4003", "Suspected" },
        { "ui-join", "", "DUMP4003", "Suspected" },
    };

    private static (LabDump Dump, int ExitCode, JsonElement Report) Analyse(string sample, string option = "", string? comment = null)
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        string[] arguments = option.Length == 0 ? [] : [option];
        LabDump dump = comment is null ? WineLab.Shared.Dump(sample, DumpKind.Full, arguments) : WineLab.Shared.DumpWithComment(sample, DumpKind.Full, comment, arguments);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.Path);
        return (dump, exitCode, report);
    }

    private static string Claims(JsonElement verdict) => verdict.GetProperty("claims").GetRawText();

    [SkippableTheory]
    [InlineData("ui-idle", "")]
    [InlineData("ui-modal", "")]
    [InlineData("ui-none", "")]
    [InlineData("ui-event", "--short")]
    public void Healthy_window_thread_gets_no_verdict(string sample, string option)
    {
        (_, int exitCode, JsonElement report) = Analyse(sample, option);
        VerdictAssert.Is(null, exitCode, report);
    }

    [SkippableTheory]
    [MemberData(nameof(Stuck))]
    public void Stuck_handler_gets_its_verdict(string sample, string option, string id, string confidence)
    {
        (LabDump dump, int exitCode, JsonElement report) = Analyse(sample, option);
        JsonElement verdict = Assert.Single(report.GetProperty("verdicts").EnumerateArray());
        Assert.Equal((id, confidence), (verdict.GetProperty("id").GetString(), verdict.GetProperty("confidence").GetString()));
        Assert.Equal(confidence == "Likely" ? 11 : 0, exitCode);
        Assert.Contains(dump.Thread("ui"), VerdictAssert.Threads(report));
        Assert.Equal("ui.exe", verdict.GetProperty("culprit").GetProperty("module").GetString());
        Assert.Equal(dump.Thread("ui"), verdict.GetProperty("culprit").GetProperty("thread").GetUInt32());
    }

    [SkippableFact]
    public void Chain_of_a_locked_out_window_leads_to_the_owner()
    {
        (LabDump dump, _, JsonElement report) = Analyse("ui-lock");
        Assert.Equal(new[] { dump.Thread("owner"), dump.Thread("ui") }.Order(), VerdictAssert.Threads(report));
        Assert.Equal($"CriticalSection 0x{dump.Addresses["lock"]:x}", VerdictAssert.Resources(report)[0]);
    }

    [SkippableFact]
    public void Thread_in_SendMessage_names_the_other_window_s_thread_as_a_suspicion()
    {
        (LabDump dump, int exitCode, JsonElement report) = Analyse("ui-send");
        JsonElement[] verdicts = [.. report.GetProperty("verdicts").EnumerateArray()];
        Assert.All(verdicts, v => Assert.Equal(("DUMP4003", "Suspected"), (v.GetProperty("id").GetString(), v.GetProperty("confidence").GetString())));
        Assert.Equal(
            new[] { dump.Thread("ui"), dump.Thread("second") }.Order(),
            verdicts.Select(v => Assert.Single(v.GetProperty("threads").EnumerateArray()).GetUInt32()).Order());
        JsonElement sender = verdicts.Single(v => v.GetProperty("threads")[0].GetUInt32() == dump.Thread("ui"));
        Assert.Contains("SendMessageW", Claims(sender), StringComparison.Ordinal);
        Assert.Contains($"(0x{dump.Thread("second"):x}), the only other thread", Claims(sender), StringComparison.Ordinal);
        Assert.Equal(0, exitCode);
    }

    [SkippableFact]
    public void Joined_thread_that_sends_to_the_window_is_no_deadlock_for_certain()
    {
        (LabDump dump, _, JsonElement report) = Analyse("ui-join");
        Assert.Equal(new[] { dump.Thread("ui"), dump.Thread("worker") }.Order(), VerdictAssert.Threads(report));
        Assert.Contains("neither can go on", Claims(report.GetProperty("verdicts")[0]), StringComparison.Ordinal);
        Assert.DoesNotContain("deadlock", Claims(report.GetProperty("verdicts")[0]), StringComparison.Ordinal);
    }

    [SkippableTheory]
    [InlineData("ui-event", "DUMP4003")]
    [InlineData("ui-compute", "DUMP4004")]
    public void Handler_of_a_window_that_procdump_found_hung_is_likely_the_hang(string sample, string id)
    {
        (LabDump dump, int exitCode, JsonElement report) = Analyse(sample, comment: Comment);
        VerdictAssert.Is(id, exitCode, report);
        Assert.Equal([dump.Thread("ui")], VerdictAssert.Threads(report));
        Assert.Contains("0x10020", Claims(report.GetProperty("verdicts")[0]), StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Without_its_stacks_the_dump_cannot_tell()
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(WineLab.Shared.Dump("ui-event", DumpKind.Normal).Path);
        VerdictAssert.Is("DUMP9001", exitCode, report);
    }
}
