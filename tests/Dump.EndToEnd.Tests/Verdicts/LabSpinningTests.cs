using System.Text.Json;
using Dump.EndToEnd.Tests.Lab;
using Dump.Testing;
using Dump.Testing.Lab;
using Xunit.Abstractions;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>
/// Samples whose verdict depends on how much processor time one thread got. Each picture that the machine makes has exactly one right verdict. Where the dump
/// itself records that the machine was too busy for the sample's picture, the sample hangs again; such attempts are checked against the verdict of what they do
/// show, and shown.
/// </summary>
[Collection(Undisturbed.Name)]
public sealed class LabSpinningTests(ITestOutputHelper output)
{
    private const int MostAttempts = 3;

    [SkippableFact]
    public void Owner_that_computes_is_a_spinning_owner() => Check(
        "spin-owner", "", "owner", _ => true,
        (exitCode, report) => VerdictAssert.IsSuspected("DUMP2001", exitCode, report),
        (_, _) => { });

    [SkippableFact]
    public void Thread_that_yields_without_end_is_a_runaway() => Check(
        "runaway", "", "runaway", share => share.OnlyPolls,
        (exitCode, report) => VerdictAssert.Is("DUMP2002", exitCode, report),

        // Less than nearly a whole processor is what workers get that poll in turns.
        (_, report) => Assert.All(report.Member("verdicts").EnumerateArray(), v =>
            Assert.Equal(("DUMP2002", "Suspected"), (v.Member("id").GetString(), v.Member("confidence").GetString()))));

    [SkippableFact]
    public void Thread_that_spins_for_a_short_time_behind_a_slow_owner_leaves_the_question_open() => Check(
        "loader-exit", "--slow-owner", "exiting", share => !share.IsRunaway,
        (exitCode, report) => VerdictAssert.Is("DUMP9001", exitCode, report),

        // A dump that comes late shows a thread that has been yielding for long, which is a verdict of its own.
        (_, report) => Assert.Equal("DUMP2002", Assert.Single(report.Member("verdicts").EnumerateArray()).Member("id").GetString()));

    private void Check(
        string sample, string option, string role, Func<ProcessorShare, bool> isPicture,
        Action<int, JsonElement> judgePicture, Action<int, JsonElement> judgeOther)
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        string[] arguments = option.Length == 0 ? [] : [option];
        List<string> failedAttempts = [];
        while (failedAttempts.Count < MostAttempts)
        {
            LabDump dump = failedAttempts.Count == 0
                ? WineLab.Shared.Dump(sample, DumpKind.Full, arguments)
                : WineLab.Shared.DumpAgain(sample, DumpKind.Full, arguments);
            (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.Path);
            ProcessorShare share = ProcessorShare.Of(dump.Path, dump.Thread(role));
            if (isPicture(share))
            {
                judgePicture(exitCode, report);
                return;
            }

            judgeOther(exitCode, report);

            // test.sh counts these texts.
            failedAttempts.Add($"attempt {failedAttempts.Count + 1} of {MostAttempts}: thread '{role}' had {share}");
            output.WriteLine(failedAttempts[^1]);
        }

        Skip.If(true, $"the machine was too busy for {sample} {option}: {string.Join("; ", failedAttempts)}");
    }
}
