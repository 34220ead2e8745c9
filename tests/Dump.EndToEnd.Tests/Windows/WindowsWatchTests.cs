using System.Text.Json;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Windows;

/// <summary>The watch of the win-x64 build under Wine captures real hangs, leaves healthy processes alone, and lets each process go however it ends.</summary>
public sealed class WindowsWatchTests : IDisposable
{
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-watch-").FullName;

    private string Out => Path.Combine(_directory, "captures");

    private string Marker => Path.Combine(_directory, "standing");

    [SkippableFact]
    public void Deadlock_is_captured_once_and_the_watch_ends_by_Control_C()
    {
        Skip.If(WindowsLook.Unavailable is not null, WindowsLook.Unavailable);
        using WineSample living = WineSample.Start("cs-cycle2");
        using WindowsWatch watch = new(Out, [], $"{living.Facts.ProcessId}", "--threads", "1", "--between", "1s", "--interval", "1s", "--back-off", "1s");
        watch.Until(w => w.Captures.Length == 1 && w.Said.Contains("so it was not kept", StringComparison.Ordinal));
        Assert.Equal(0, watch.PressControlC());
        string capture = Assert.Single(Directory.GetDirectories(Out));
        Assert.StartsWith($"hang-{living.Facts.ProcessId}-", Path.GetFileName(capture), StringComparison.Ordinal);
        Assert.Equal(["capture.json", "first.dmp", "report.html", "report.json", "report.txt", "second.dmp"],
            Directory.GetFiles(capture).Select(f => Path.GetFileName(f)).Order(StringComparer.Ordinal));
        Assert.Equal("DUMP1002", WindowsWatch.Json(capture, "report.json").Member("verdicts")[0].Member("id").GetString());
        JsonElement description = WindowsWatch.Json(capture, "capture.json");
        Assert.Equal(("--threads", "DUMP1002"), (description.Member("condition").GetString(), description.Member("detector").GetString()));
        Assert.Empty(JsonSchemaCheck.Errors(description.GetRawText()));
        HeldSample.AssertUnsuspended(living);
    }

    /// <summary>One watch of both: the one that hangs is captured twice, so that the other one was looked at as often, and never captured.</summary>
    [SkippableFact]
    public void Hung_window_is_captured_and_a_busy_one_that_takes_messages_is_not()
    {
        Skip.If(WindowsLook.Unavailable is not null, WindowsLook.Unavailable);
        using WineSample healthy = WineSample.Start("ui-hung", "--pumping"), stuck = WineSample.Start("ui-hung");
        using WindowsWatch watch = new(Out, [], $"{healthy.Facts.ProcessId}", $"{stuck.Facts.ProcessId}", "--hung-window", "6s", "--between", "1s",
            "--interval", "1s", "--back-off", "1s");
        watch.Until(w => w.Captures.Length == 1 && w.Said.Contains("so it was not kept", StringComparison.Ordinal));
        Assert.Equal(0, watch.PressControlC());
        string capture = Assert.Single(watch.Captures);
        JsonElement description = WindowsWatch.Json(capture, "capture.json");
        Assert.Equal(((int)stuck.Facts.ProcessId, "--hung-window"),
            (description.Member("processId").GetInt32(), description.Member("condition").GetString()));
        Assert.Matches($"^window 0x[0-9a-f]+ of thread {stuck.Facts.Thread("ui")} has not answered for [0-9]+ s$",
            description.Member("reason").GetString());
        Assert.DoesNotContain($"captures process {healthy.Facts.ProcessId} ", watch.Said, StringComparison.Ordinal);
    }

    /// <summary>What Windows says of the window and what the stack shows are Likely together.</summary>
    [SkippableFact]
    public void Look_at_a_hung_window_says_so()
    {
        Skip.If(WindowsLook.Unavailable is not null, WindowsLook.Unavailable);
        using WineSample living = WineSample.Start("ui-hung");
        (int exitCode, JsonElement report, _) = WindowsLook.At(living, "--interval", "6s");
        VerdictAssert.Is("DUMP4003", exitCode, report);
        JsonElement claims = report.Member("verdicts")[0].Member("claims");
        JsonElement claim = Assert.Single(claims.EnumerateArray(), c => c.Member("text").GetString()!.Contains("Windows says", StringComparison.Ordinal));
        Assert.Equal(("Likely", "System"), (claim.Member("confidence").GetString(), claim.Member("evidence")[0].Member("source").GetString()));
    }

    /// <summary>The look of a capture is killed while the process stands still: what holds that process lives on, and lets it go.</summary>
    [SkippableFact]
    public void Look_of_a_watch_that_is_killed_leaves_the_process_running()
    {
        Skip.If(WindowsLook.Unavailable is not null, WindowsLook.Unavailable);
        using WineSample living = WineSample.Start("spin-owner");
        using WindowsWatch watch = Standing(living);
        using (System.Diagnostics.Process look = HeldSample.Look(living))
        {
            look.Kill();
        }

        WindowsLook.AssertGoesOn(living);
        watch.Until(w => w.Said.Contains("the first look came to nothing", StringComparison.Ordinal));
        Assert.Equal(0, watch.PressControlC());
        HeldSample.AssertUnsuspended(living);
        Assert.Empty(Directory.GetFileSystemEntries(Out));
    }

    /// <summary>So do the end of the watch, which takes its look with it, and its being killed.</summary>
    [SkippableTheory]
    [InlineData(true)]
    [InlineData(false)]
    public void Watch_that_ends_while_it_captures_leaves_the_process_running(bool isKilled)
    {
        Skip.If(WindowsLook.Unavailable is not null, WindowsLook.Unavailable);
        using WineSample living = WineSample.Start("spin-owner");
        using WindowsWatch watch = Standing(living);
        using System.Diagnostics.Process look = HeldSample.Look(living);
        if (isKilled)
        {
            watch.Kill();
        }
        else
        {
            Assert.Equal(0, watch.PressControlC());
            Assert.Empty(Directory.GetFileSystemEntries(Out));
        }

        Assert.True(look.WaitForExit(TimeSpan.FromMinutes(5)), "the look lives on");
        HeldSample.AssertUndisturbed(living);
    }

    /// <summary>A look that stands still is ended long before the longest that it may take; what holds the process lets it go.</summary>
    [SkippableFact]
    [Trait("Category", "Slow")]
    public void Look_that_makes_no_progress_is_ended()
    {
        Skip.If(WindowsLook.Unavailable is not null, WindowsLook.Unavailable);
        using WineSample living = WineSample.Start("spin-owner");
        using WindowsWatch watch = Standing(living);
        using System.Diagnostics.Process look = HeldSample.Look(living);
        using (var stop = System.Diagnostics.Process.Start("kill", ["-STOP", $"{look.Id}"]))
        {
            stop.WaitForExit();
        }

        watch.Until(w => w.Said.Contains(": the first look", StringComparison.Ordinal));
        Assert.True(watch.Said.Contains("the first look made no progress for 2 min and was ended", StringComparison.Ordinal), watch.Said);
        HeldSample.AssertUndisturbed(living);
        Assert.Equal(0, watch.PressControlC());
    }

    /// <summary>What a look that came to nothing said last stands in the watch's words.</summary>
    [SkippableFact]
    [Trait("Category", "Slow")]
    public void Reason_of_a_look_that_came_to_nothing_is_said()
    {
        Skip.If(WindowsLook.Unavailable is not null, WindowsLook.Unavailable);
        using WineSample living = WineSample.Start("spin-owner");
        using WindowsWatch watch = Standing(living);
        watch.Until(w => w.Said.Contains(": the first look", StringComparison.Ordinal));
        Assert.True(watch.Said.Contains("before its memory was written; allow more: --stop-limit", StringComparison.Ordinal), watch.Said);
        Assert.Equal(0, watch.PressControlC());
    }

    [SkippableFact]
    public void Process_that_is_not_there_is_said()
    {
        Skip.If(WindowsLook.Unavailable is not null, WindowsLook.Unavailable);
        Assert.Equal((3, "", "dumpanalyze: there is no process 99999\n"),
            WindowsLook.RunToEnd("watch", "99999", "--out", WineLab.WindowsPath(Out), "--threads", "1"));
        Assert.False(Directory.Exists(Out));
    }

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    /// <summary>A watch whose capture stands still while the process is stopped.</summary>
    private WindowsWatch Standing(WineSample living)
    {
        WindowsWatch watch = new(Out, [("LAB_WRITER_STANDS", WineLab.WindowsPath(Marker))], $"{living.Facts.ProcessId}", "--threads", "1", "--interval", "1s");
        watch.Until(_ => File.Exists(Marker));
        HeldSample.AssertStands(living);
        return watch;
    }
}
