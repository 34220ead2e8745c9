using System.Text.Json;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>
/// Real window threads, dumped in their handlers. Wine's DispatchMessageW stays on the stack under its exported name; on x64 Windows it leaves by a jump, so
/// that only user32's symbols name the frame there. That the innermost system calls are NtUserGetMessage and NtUserMessageCall is the same on both.
/// </summary>
public sealed class LabUiTests
{
    private const string Comment = "*** procdump -ma -h 66144\n*** Hung window detected: 10020";

    public static TheoryData<string, string, string, string> Stuck => new()
    {
        { "ui-lock", "", "DUMP4001", "Likely" },
        { "ui-event", "", "DUMP4003", "Suspected" },
        { "ui-sleep", "", "DUMP4003", "Likely" },
    };

    /// <summary>Variants of them.</summary>
    public static TheoryData<string, string, string, string> FurtherStuck => new()
    {
        { "ui-lock", "--slow-owner", "DUMP4001", "Suspected" },
        { "ui-message-wait", "", "DUMP4003", "Suspected" },
        { "ui-send", "", "DUMP4003", "Suspected" },
        { "ui-join", "", "DUMP1002", "Likely" },
        { "ui-cycle", "", "DUMP1002", "Confirmed" },
    };

    private static (LabDump Dump, int ExitCode, JsonElement Report) Analyse(string sample, string option = "", string? comment = null)
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        string[] arguments = option.Length == 0 ? [] : [option];
        LabDump dump = comment is null ? WineLab.Shared.Dump(sample, DumpKind.Full, arguments)
            : WineLab.Shared.DumpWithComment(sample, DumpKind.Full, comment, arguments);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.Path);
        return (dump, exitCode, report);
    }

    private static string? Text(JsonElement element, string property) => element.Member(property).GetString();

    private static string Claims(JsonElement verdict) => verdict.Member("claims").GetRawText();

    [SkippableTheory]
    [InlineData("ui-idle", "")]
    [InlineData("ui-modal", "")]
    public void Healthy_window_thread_gets_no_verdict(string sample, string option)
    {
        (_, int exitCode, JsonElement report) = Analyse(sample, option);
        VerdictAssert.Is(null, exitCode, report);
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("ui-none", "")]
    [InlineData("ui-event", "--short")]
    [InlineData("ui-message-wait", "--any-message")]
    public void Further_healthy_window_thread_gets_no_verdict(string sample, string option) => Healthy_window_thread_gets_no_verdict(sample, option);

    [SkippableTheory]
    [MemberData(nameof(Stuck))]
    public void Stuck_handler_gets_its_verdict(string sample, string option, string id, string confidence)
    {
        (LabDump dump, int exitCode, JsonElement report) = Analyse(sample, option);
        JsonElement verdict = Assert.Single(report.Member("verdicts").EnumerateArray());
        Assert.Equal((id, confidence), (verdict.Member("id").GetString(), verdict.Member("confidence").GetString()));
        Assert.Equal(confidence switch { "Confirmed" => 10, "Likely" => 11, _ => 12 }, exitCode);
        Assert.Contains(dump.Thread("ui"), VerdictAssert.Threads(report));
        JsonElement culprit = verdict.Member("culprit");
        Assert.Equal(("ui.exe", "1.2.3.4", "Dump samples", "WM_APP+1"),
            (Text(culprit, "module"), Text(culprit, "version"), Text(culprit, "vendor"), Text(culprit, "message")));
        Assert.Equal(dump.Thread("ui"), culprit.Member("thread").GetUInt32());
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(FurtherStuck))]
    public void Further_stuck_handler_gets_its_verdict(string sample, string option, string id, string confidence) =>
        Stuck_handler_gets_its_verdict(sample, option, id, confidence);

    [SkippableFact]
    public void Chain_of_a_locked_out_window_leads_to_the_owner()
    {
        (LabDump dump, _, JsonElement report) = Analyse("ui-lock");
        Assert.Equal(new[] { dump.Thread("owner"), dump.Thread("ui") }.Order(), VerdictAssert.Threads(report));
        Assert.Equal($"CriticalSection 0x{dump.Addresses["lock"]:x}", VerdictAssert.Resources(report)[0]);
    }

    [SkippableFact]
    public void Thread_in_SendMessage_leads_to_the_thread_whose_window_does_not_answer()
    {
        (LabDump dump, _, JsonElement report) = Analyse("ui-send");
        JsonElement verdict = report.Member("verdicts")[0];
        Assert.Equal([dump.Thread("ui"), dump.Thread("second")], verdict.Member("threads").EnumerateArray().Select(t => t.GetUInt32()));
        JsonElement link = verdict.Member("chain")[0];
        Assert.Equal((dump.Thread("second"), "Derived"), (link.Member("holder").GetUInt32(), Text(link, "grade")));
        Assert.Contains("SendMessageW", Claims(verdict), StringComparison.Ordinal);
    }

    [SkippableFact]
    [Trait("Category", "Slow")]
    public void Joined_thread_that_sends_to_the_window_is_a_deadlock()
    {
        (LabDump dump, _, JsonElement report) = Analyse("ui-join");
        Assert.Equal(new[] { dump.Thread("ui"), dump.Thread("worker") }.Order(), VerdictAssert.Threads(report));
        Assert.Contains("a deadlock", Claims(report.Member("verdicts")[0]), StringComparison.Ordinal);
        Assert.Contains("none of its windows takes input", Claims(report.Member("verdicts")[0]), StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Wait_for_sent_messages_only_says_what_still_reaches_the_thread()
    {
        JsonElement verdict = Analyse("ui-message-wait").Report.Member("verdicts")[0];
        Assert.Contains("MsgWaitForMultipleObjects (QS_SENDMESSAGE) for event", Claims(verdict), StringComparison.Ordinal);
        Assert.Contains("Messages that other threads send still reach it", Claims(verdict), StringComparison.Ordinal);
    }

    [SkippableFact]
    [Trait("Category", "Slow")]
    public void Message_handled_inside_a_send_is_shown_as_such()
    {
        (LabDump dump, _, JsonElement report) = Analyse("ui-reentry");
        JsonElement verdict = Assert.Single(report.Member("verdicts").EnumerateArray());
        Assert.Equal([dump.Thread("ui")], VerdictAssert.Threads(report));
        Assert.Equal([dump.Thread("second")], verdict.Member("victims").EnumerateArray().SelectMany(v => v.Member("threads").EnumerateArray()).Select(t => t.GetUInt32()));
        Assert.Contains($"(0x{dump.Thread("ui"):x}) the handler ui.exe", Claims(verdict), StringComparison.Ordinal);
        Assert.Contains("runs inside user32!SendMessageW, which another handler", Claims(verdict), StringComparison.Ordinal);
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("ui-event", "DUMP4003")]
    [InlineData("ui-compute", "DUMP4004")]
    public void Handler_of_a_window_that_procdump_found_hung_is_likely_the_hang(string sample, string id)
    {
        (LabDump dump, int exitCode, JsonElement report) = Analyse(sample, comment: Comment);
        VerdictAssert.Is(id, exitCode, report);
        Assert.Equal([dump.Thread("ui")], VerdictAssert.Threads(report));
        Assert.Contains("0x10020", Claims(report.Member("verdicts")[0]), StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Without_its_stacks_the_dump_cannot_tell()
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(WineLab.Shared.Dump("ui-event", DumpKind.Normal).Path);
        VerdictAssert.Is("DUMP9001", exitCode, report);
    }
}
