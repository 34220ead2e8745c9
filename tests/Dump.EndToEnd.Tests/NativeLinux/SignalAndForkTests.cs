using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Live;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.NativeLinux;

/// <summary>
/// Locks of the C library that store no owner: taken again by a handler of signals, and left behind by a fork. The same verdict on the living process and on the
/// core of that moment.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class SignalAndForkTests : IDisposable
{
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-signals-").FullName;

    [SkippableTheory]
    [InlineData("malloc", "MallocArena", "Likely")]
    [InlineData("syslog", "LibraryLock", "Likely")]
    [InlineData("time-zone", "LibraryLock", "Likely")]
    [InlineData("mutex", "PthreadMutex", "Confirmed")]
    public void Lock_taken_again_in_a_handler_is_a_deadlock(string what, string kind, string confidence)
    {
        foreach (JsonElement report in Reports($"interrupted-{what}"))
        {
            JsonElement verdict = Assert.Single(report.Member("verdicts").EnumerateArray());
            Assert.Equal(("DUMP1002", confidence), (verdict.Member("id").GetString(), verdict.Member("confidence").GetString()));
            JsonElement link = Assert.Single(verdict.Member("chain").EnumerateArray());
            Assert.Equal(kind, link.Member("resource").Member("kind").GetString());
            Assert.Equal(link.Member("thread").GetRawText(), link.Member("holder").GetRawText());
            JsonElement signal = Assert.Single(
                verdict.Member("stacks")[0].Member("frames").EnumerateArray(), f => f.TryGetProperty("signalHandler", out JsonElement is_) && is_.GetBoolean());
            Assert.Equal(("__restore_rt", 10), (signal.Member("function").GetString(), signal.Member("signal").GetInt32()));
            Assert.Equal("native-hang", verdict.Member("lookAt")[0].Member("code").GetString()!.Split('!')[0]);
        }
    }

    /// <summary>The kernel tells no number, and the only signal that the process still handles is another one: none is named.</summary>
    [SkippableFact]
    public void Signal_that_the_kernel_does_not_tell_is_not_named()
    {
        Skip.If(NativeLinuxLab.Unavailable is not null, NativeLinuxLab.Unavailable);
        using LiveScene running = NativeLinuxLab.Start("interrupted-once");
        (int exitCode, JsonElement report) = LiveLook.At(running);
        Assert.Equal(10, exitCode);
        JsonElement signal = Assert.Single(report.Member("verdicts")[0].Member("stacks")[0].Member("frames").EnumerateArray(),
            f => f.TryGetProperty("signalHandler", out JsonElement is_) && is_.GetBoolean());
        Assert.False(signal.TryGetProperty("signal", out JsonElement number) && number.ValueKind != JsonValueKind.Null, signal.GetRawText());
    }

    /// <summary>It waits for a child that waits for room in a pipe which only it could read from; the twin reads.</summary>
    [SkippableFact]
    public void Parent_that_waits_for_a_child_before_it_reads_is_deadlocked_with_it()
    {
        Skip.If(NativeLinuxLab.Unavailable is not null, NativeLinuxLab.Unavailable);
        using (LiveScene hung = NativeLinuxLab.Start("unread-child"))
        {
            (int exitCode, JsonElement report) = LiveLook.At(hung);
            JsonElement verdict = Assert.Single(report.Member("verdicts").EnumerateArray());
            Assert.Equal((11, "DUMP1002", "Likely"), (exitCode, verdict.Member("id").GetString(), verdict.Member("confidence").GetString()));
        }

        using LiveScene healthy = NativeLinuxLab.Start("read-child", rests: false);
        VerdictAssert.IsAtMostSuspected(LiveLook.At(healthy).Report);
    }

    [SkippableTheory]
    [InlineData("syslog", "LibraryLock")]
    [InlineData("time-zone", "LibraryLock")]
    [InlineData("environment", "LibraryLock")]
    [InlineData("addresses", "LibraryLock")]
    [InlineData("mutex", "PthreadMutex")]
    public void Lock_left_behind_by_a_fork_is_likely_orphaned(string what, string kind)
    {
        foreach (JsonElement report in Reports($"forked-{what}"))
        {
            JsonElement verdict = Assert.Single(report.Member("verdicts").EnumerateArray());
            Assert.Equal(("DUMP1003", "Likely"), (verdict.Member("id").GetString(), verdict.Member("confidence").GetString()));
            JsonElement link = Assert.Single(verdict.Member("chain").EnumerateArray());
            Assert.Equal(kind, link.Member("resource").Member("kind").GetString());
            Assert.Contains(verdict.Member("claims").EnumerateArray(),
                c => c.Member("evidence").EnumerateArray().Any(e => e.Member("text").GetString()!.StartsWith("fork(2)", StringComparison.Ordinal)));
            Assert.Equal("native-hang", verdict.Member("lookAt")[0].Member("code").GetString()!.Split('!')[0]);
        }
    }

    /// <summary>The owner's thread has ended in a process that was started as others are: of a fork nothing is said.</summary>
    [SkippableFact]
    public void Lock_of_a_thread_that_has_ended_is_of_no_fork()
    {
        foreach (JsonElement report in Reports("orphan"))
        {
            JsonElement verdict = Assert.Single(report.Member("verdicts").EnumerateArray());
            Assert.Equal(("DUMP1003", "Orphaned lock"), (verdict.Member("id").GetString(), verdict.Member("title").GetString()));
            Assert.DoesNotContain(verdict.Member("claims").EnumerateArray(),
                c => c.Member("evidence").EnumerateArray().Any(e => e.Member("text").GetString()!.StartsWith("fork(2)", StringComparison.Ordinal)));
        }
    }

    /// <summary>Whether a handler of signals could end the wait a core does not tell.</summary>
    [SkippableFact]
    public void Child_that_waits_for_a_thread_of_its_parent_is_suspected()
    {
        JsonElement[] reports = Reports("forked-worker");
        JsonElement verdict = Assert.Single(reports[0].Member("verdicts").EnumerateArray());
        Assert.Equal(("DUMP5001", "Suspected"), (verdict.Member("id").GetString(), verdict.Member("confidence").GetString()));
        Assert.Empty(reports[1].Member("verdicts").EnumerateArray());
        Assert.True(reports[1].Member("undecidable").GetBoolean());
    }

    /// <summary>The core that the kernel writes of it.</summary>
    [SkippableFact]
    public void Core_by_the_kernel_is_judged_alike()
    {
        KernelCores.SkipWithoutThem();
        Skip.If(NativeLinuxLab.Unavailable is not null, NativeLinuxLab.Unavailable);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(NativeLinuxLab.CoreByKernel("interrupted-malloc", _directory));
        Assert.Equal(11, exitCode);
        Assert.Equal("DUMP1002", report.Member("verdicts")[0].Member("id").GetString());
    }

    /// <summary>A handler that queues for locks that others have, and interrupts code that has none of them.</summary>
    [SkippableFact]
    public void Handler_that_waits_for_its_turn_has_no_verdict()
    {
        const int Looks = 5;
        Skip.If(NativeLinuxLab.Unavailable is not null, NativeLinuxLab.Unavailable);
        using LiveScene running = NativeLinuxLab.Start("busy-handler", rests: false);
        LiveLook.AssertStaysHealthy(running, Looks);
    }

    /// <inheritdoc/>
    public void Dispose() => Directory.Delete(_directory, recursive: true);

    private JsonElement[] Reports(string scene)
    {
        Skip.If(NativeLinuxLab.Unavailable is not null, NativeLinuxLab.Unavailable);
        using LiveScene running = NativeLinuxLab.Start(scene);
        return [.. LiveLook.WithCore(running, _directory).Select(l => l.Report)];
    }
}
