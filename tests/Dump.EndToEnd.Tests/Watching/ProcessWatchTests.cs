using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Live;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Watching;

/// <summary>The watch of the built program captures real hangs, each once, lets their processes go on, and leaves healthy ones alone.</summary>
[SupportedOSPlatform("linux")]
public sealed class ProcessWatchTests : IDisposable
{
    private const string AtOnce = "--threads";
    private readonly string _folder = Directory.CreateTempSubdirectory("dump-watch-").FullName;

    private string Out => Path.Combine(_folder, "captures");

    [SkippableFact]
    public void Deadlock_is_captured_once_and_told_of_once()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        string told = Path.Combine(_folder, "told"), tell = Script("tell", $"cat >> '{told}'; echo >> '{told}'");
        using LiveScene scene = LinuxLab.Start("monitor-cycle2");
        using (RunningWatch watch = new($"{scene.ProcessId}", "--out", Out, AtOnce, "1", "--between", "1s", "--back-off", "1s", "--interval", "1s",
            "--notify-command", tell))
        {
            watch.Until(w => w.Captures.Length == 1 && w.Said.Any(s => s.Contains("so it was not kept", StringComparison.Ordinal)));
            Assert.Equal(0, watch.End("TERM"));
            Assert.Single(watch.Captures);
        }

        string capture = Assert.Single(Directory.GetDirectories(Out));
        Assert.StartsWith($"managed-hang-{scene.ProcessId}-", Path.GetFileName(capture), StringComparison.Ordinal);
        Assert.Equal(["capture.json", "first.core", "report.html", "report.json", "report.txt", "second.core"],
            Directory.GetFiles(capture).Select(f => Path.GetFileName(f)).Order(StringComparer.Ordinal));
        JsonElement report = Json(Path.Combine(capture, "report.json"));
        Assert.Equal("DUMP1002", report.Member("verdicts")[0].Member("id").GetString());
        Assert.Contains("DUMP1002", File.ReadAllText(Path.Combine(capture, "report.txt")), StringComparison.Ordinal);
        Assert.Contains("DUMP1002", File.ReadAllText(Path.Combine(capture, "report.html")), StringComparison.Ordinal);
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute, File.GetUnixFileMode(capture));
        JsonElement notice = JsonDocument.Parse(File.ReadLines(told).Aggregate("", (a, b) => a + b)).RootElement;
        JsonElement description = Json(Path.Combine(capture, "capture.json"));
        Assert.Equal(description.Member("signature").GetString(), notice.Member("bucket").GetString());
        Assert.Equal(("DUMP1002", capture), (notice.Member("detector").GetString(), notice.Member("source").GetString()));
        Assert.Empty(JsonSchemaCheck.Errors(description.GetRawText()));
        Assert.Empty(JsonSchemaCheck.Errors(notice.GetRawText()));
        LiveLook.AssertGoesOn(scene);
    }

    [SkippableFact]
    public void Triage_reads_what_was_captured()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene scene = LinuxLab.Start("monitor-orphan");
        using (RunningWatch watch = new($"{scene.ProcessId}", "--out", Out, AtOnce, "1", "--between", "1s"))
        {
            watch.Until(w => w.Captures.Length == 1);
            scene.Signal("KILL");
            Assert.Equal(0, watch.End());
        }

        DumpAnalyze triage = DumpAnalyze.Run("triage", Out, "--out", Path.Combine(_folder, "triage"));
        Assert.StartsWith("2 dumps, 0 copies", triage.Output, StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Spinning_thread_is_captured_and_another_watch_knows_it()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene scene = LinuxLab.Start("dictionary-cycle");
        string[] line = [$"{scene.ProcessId}", "--out", Out, "--cpu", "2%", "--for", "4s", "--between", "1s", "--interval", "2s"];
        using (RunningWatch watch = new(line))
        {
            watch.Until(w => w.Captures.Length == 1);
            Assert.Equal(0, watch.End("INT"));
        }

        JsonElement description = Json(Path.Combine(Assert.Single(Directory.GetDirectories(Out)), "capture.json"));
        Assert.Equal("--cpu", description.Member("condition").GetString());
        Assert.Contains(scene.Threads("spinner").Concat(scene.Threads("reader")),
            t => description.Member("reason").GetString()!.StartsWith($"thread {t} used 2 %", StringComparison.Ordinal));
        using RunningWatch again = new(line);
        again.Until(w => w.Said.Any(s => s.Contains("so it was not kept", StringComparison.Ordinal)));
        Assert.Equal(0, again.End("TERM"));
        Assert.Empty(again.Captures);
        LiveLook.AssertGoesOn(scene);
    }

    [SkippableFact]
    public void Server_that_does_not_answer_under_load_is_captured()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene scene = WebLab.Start("pool-starvation");
        string address = scene.Lines.Single(l => l.StartsWith("listens ", StringComparison.Ordinal))[8..];
        using RunningWatch watch = new("managed-hang-web", "--out", Out, "--no-answer", address, "2s", "--between", "1s", "--interval", "1s", "--back-off", "1s");

        // The pool adds workers, and a capture that meets two new ones beside three that block tells of no starvation.
        watch.Until(w => w.Captures.Any(c => Json(Path.Combine(c, "capture.json")).Member("detector").GetString() == "DUMP1007"));
        Assert.Equal(0, watch.End("TERM"));
        Assert.All(watch.Captures, c => Assert.Equal("--no-answer", Json(Path.Combine(c, "capture.json")).Member("condition").GetString()));
    }

    [SkippableFact]
    public void Healthy_server_under_load_is_left_alone()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene scene = WebLab.Start("idle");
        string address = scene.Lines.Single(l => l.StartsWith("listens ", StringComparison.Ordinal))[8..];
        string asked = Path.Combine(_folder, "asked"), works = Script("works", $"echo >> '{asked}'");
        using RunningWatch watch = new($"{scene.ProcessId}", "--out", Out, "--no-answer", address, "60s", "--check", works, "60s", AtOnce, "500",
            "--interval", "1s");
        watch.Until(_ => File.Exists(asked) && File.ReadLines(asked).Count() > 8);
        Assert.Equal(0, watch.End("TERM"));
        Assert.Empty(watch.Captures);
        Assert.Empty(Directory.GetFileSystemEntries(Out));
    }

    [SkippableTheory]
    [InlineData("KILL")]
    [InlineData("TERM")]
    public void Watch_that_is_ended_while_it_captures_leaves_nothing_and_lets_go(string signal)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene scene = LinuxLab.Start("monitor-cycle2");
        using (RunningWatch watch = new($"{scene.ProcessId}", "--out", Out, AtOnce, "1", "--between", "1h"))
        {
            watch.Until(_ => Directory.Exists(Out) && Directory.EnumerateFiles(Out, "first.core", SearchOption.AllDirectories).Any());
            Assert.Equal(signal == "KILL" ? 137 : 0, watch.End(signal));
        }

        LiveLook.AssertGoesOn(scene);
        if (signal == "KILL")
        {
            Assert.NotEmpty(Directory.GetDirectories(Out));
            using RunningWatch next = new($"{scene.ProcessId}", "--out", Out, AtOnce, "1000");
            next.Until(w => w.Said.Any(s => s.Contains("watches process", StringComparison.Ordinal)));
            Assert.Equal(0, next.End("TERM"));
        }

        Assert.Empty(Directory.GetFileSystemEntries(Out));
    }

    [SkippableFact]
    public void Budget_ends_captures_and_not_the_watch()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene scene = LinuxLab.Start("monitor-cycle2");
        using RunningWatch watch = new($"{scene.ProcessId}", "--out", Out, AtOnce, "1", "--disk", "1M", "--interval", "1s", "--back-off", "1s");
        watch.Until(w => w.Said.Count(s => s.Contains("no capture was made: the folder has 0 MiB", StringComparison.Ordinal)) >= 2);
        Assert.Equal(0, watch.End("TERM"));
        Assert.Empty(watch.Captures);
        LiveLook.AssertGoesOn(scene);
    }

    [SkippableFact]
    public void Watch_ends_when_as_many_captures_are_kept_as_were_asked_for()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene scene = LinuxLab.Start("monitor-cycle2");
        string[] line = [$"{scene.ProcessId}", "--out", Out, AtOnce, "1", "--between", "1s", "--interval", "1s", "--captures", "1"];
        using (RunningWatch watch = new(line))
        {
            Assert.Equal(0, watch.End());
            Assert.Single(watch.Captures);
            Assert.Contains(watch.Said, s => s.EndsWith(": the folder has 1 capture (--captures): the watch ends", StringComparison.Ordinal));
        }

        DumpAnalyze again = DumpAnalyze.Run(["watch", .. line]);
        Assert.Equal((2, "", $"dumpanalyze: --out {Out}: the folder has 1 capture (--captures); name another folder\n"), (again.ExitCode, again.Output, again.Error));
        LiveLook.AssertGoesOn(scene);
    }

    [SkippableFact]
    public void Process_that_is_not_there_is_said()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        DumpAnalyze run = DumpAnalyze.Run("watch", $"{int.MaxValue}", "--out", Out, AtOnce, "1");
        Assert.Equal((3, "", $"dumpanalyze: there is no process {int.MaxValue}\n"), (run.ExitCode, run.Output, run.Error));
        Assert.False(Directory.Exists(Out));
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static JsonElement Json(string path) => JsonDocument.Parse(File.ReadAllText(path)).RootElement;

    private string Script(string name, string text)
    {
        string path = Path.Combine(_folder, name);
        File.WriteAllText(path, $"#!/bin/sh\n{text}\n");
        File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        return path;
    }
}
