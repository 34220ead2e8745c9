using System.Runtime.Versioning;
using System.Text.Json;
using Dump.Analysis;
using Dump.Analysis.Options;
using Dump.EndToEnd.Tests.Lab;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Live;

/// <summary>Living processes whose verdict rests on the processor time that their threads get while they are looked at.</summary>
[Collection(Undisturbed.Name)]
[SupportedOSPlatform("linux")]
public sealed class LiveSpinningTests
{
    private const int MostAttempts = 5;

    [SkippableFact]
    public void Four_that_compute_and_fifty_that_wait_are_told_apart_and_the_four_go_on()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.Start("spin-crowd");
        uint owner = running.Threads("owner").Single();
        (int exitCode, JsonElement report) = LiveLook.At(running);
        VerdictAssert.IsSuspected("DUMP2001", exitCode, report);
        Assert.Equal([owner], VerdictAssert.Threads(report));
        Assert.Equal(running.Threads("waiter").Order(), VerdictAssert.Victims(report));
        uint[] spinners = [owner, .. running.Threads("spinner")];
        foreach (JsonElement thread in report.Member("threads").EnumerateArray())
        {
            uint id = thread.Member("id").GetUInt32();
            long used = thread.Member("recentUse").Member("usedMicroseconds").GetInt64();
            Assert.True(spinners.Contains(id) ? used > 0 : !running.Threads("waiter").Contains(id) || used == 0, $"thread {id} used {used} us");
        }

        long[] before = [.. spinners.Select(running.ProcessorTicks)];
        Assert.True(SpinWait.SpinUntil(() => spinners.Zip(before).All(s => running.ProcessorTicks(s.First) > s.Second), TimeSpan.FromMinutes(5)));
        LiveLook.AssertGoesOn(running);
    }

    [SkippableTheory]
    [InlineData("5.5s", "Likely")]
    public void Owner_that_computes_while_few_wait_is_likely_stuck_only_after_a_long_look(string interval, string confidence)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.Start("spin-owner");
        JsonElement verdict = Assert.Single(LookWhileBusy(running, "owner", interval).Report.Member("verdicts").EnumerateArray());
        Assert.Equal(("DUMP2001", confidence), (verdict.Member("id").GetString(), verdict.Member("confidence").GetString()));
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("300ms", "Suspected")]
    public void Short_look_at_an_owner_that_computes_is_not_enough(string interval, string confidence) =>
        Owner_that_computes_while_few_wait_is_likely_stuck_only_after_a_long_look(interval, confidence);

    [SkippableFact]
    public void Thread_that_only_computes_is_a_suspected_runaway()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.Start("runaway");
        (int exitCode, JsonElement report) = LookWhileBusy(running, "runaway", "5.5s");
        VerdictAssert.IsSuspected("DUMP2002", exitCode, report);
        Assert.Equal(running.Threads("runaway"), VerdictAssert.Threads(report));
    }

    /// <summary>The call is a wait by its name: only its processor time tells that it does not wait there.</summary>
    [SkippableFact]
    public void Owner_that_asks_over_and_over_is_likely_stuck()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.Start("spin-calls");
        string calls = "";
        for (int attempt = 0; attempt < MostAttempts && !calls.Contains("calling poll", StringComparison.Ordinal); attempt++)
        {
            // It may be caught between two calls.
            (int exitCode, JsonElement report) = LookWhileBusy(running, "owner", "5.5s");
            VerdictAssert.Is("DUMP2001", exitCode, report);
            Assert.Equal(running.Threads("owner"), VerdictAssert.Threads(report));
            calls = report.Member("verdicts")[0].GetRawText();
        }

        Assert.Contains("It runs, calling poll without waiting there: ", calls, StringComparison.Ordinal);
    }

    /// <summary>Looks until the thread had enough of the time to be called busy; on a machine that never lets it the test is skipped.</summary>
    private static (int ExitCode, JsonElement Report) LookWhileBusy(LiveScene running, string role, string interval)
    {
        double load = 0;
        for (int attempt = 0; attempt < MostAttempts; attempt++)
        {
            (int exitCode, JsonElement report) = LiveLook.At(running, "--interval", interval);
            JsonElement use = report.Member("threads").EnumerateArray().Single(t => t.Member("id").GetUInt32() == running.Threads(role).Single())
                .Member("recentUse");
            load = use.Member("usedMicroseconds").GetDouble() / use.Member("overMicroseconds").GetDouble();
            if (load >= AnalysisOptions.Default.BusyLoad)
            {
                return (exitCode, report);
            }
        }

        Skip.If(true, $"the machine let the sample's thread run for {load:P0} of the time only");
        throw new InvalidOperationException();
    }
}
