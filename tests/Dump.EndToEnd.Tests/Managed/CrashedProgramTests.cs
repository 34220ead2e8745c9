using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>Cores of programs that crashed, and of one that somebody asked a core of.</summary>
[SupportedOSPlatform("linux")]
public sealed class CrashedProgramTests : IDisposable
{
    private const string Thrown =
        "The exception is System.InvalidOperationException: \"no order 7\", caused by System.ArgumentException: \"it was never placed\".";

    private readonly LinuxLab _lab = new();

    [SkippableTheory]
    [InlineData("crash-thrown", false, "System.InvalidOperationException", Thrown, "CrashScenes.Order")]
    [InlineData("crash-segv", true, "SIGSEGV", "got SIGSEGV (access violation): it accessed 0x", "CrashScenes")]
    [InlineData("crash-failfast", false, "Environment.FailFast", "The program ended itself: it called Environment.FailFast.", "CrashScenes")]
    public void Crash_is_told_with_its_exception_and_place(string scene, bool byKernel, string failure, string sentence, string place) =>
        Check(scene, byKernel, failure, sentence, place);

    /// <summary>
    /// The runtime handles a stack overflow on another stack; from there its walk is not followed to the thread's own, so no place is named for sure.
    /// </summary>
    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("crash-thrown", true, "System.InvalidOperationException", Thrown, "CrashScenes.Order")]
    [InlineData("crash-null", false, "System.NullReferenceException", "The exception is System.NullReferenceException", "CrashScenes")]
    [InlineData("crash-overflow", false, "System.StackOverflowException", "The exception is System.StackOverflowException.", null)]
    [InlineData("crash-segv", false, "SIGSEGV", "got SIGSEGV (access violation): it accessed 0x", "CrashScenes")]
    [InlineData("crash-abort", false, "SIGABRT", "got SIGABRT (abort).", "CrashScenes")]
    [InlineData("crash-abort", true, "SIGABRT", "got SIGABRT (abort).", "CrashScenes")]
    public void Further_crash_is_told_with_its_exception_and_place(string scene, bool byKernel, string failure, string sentence, string? place) =>
        Check(scene, byKernel, failure, sentence, place);

    private void Check(string scene, bool byKernel, string failure, string sentence, string? place)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(_lab.DumpOfCrash(scene, byKernel));
        JsonElement verdict = Assert.Single(report.Member("verdicts").EnumerateArray());
        Assert.Equal((14, "DUMP8001", "Confirmed", failure),
            (exitCode, verdict.Member("id").GetString(), verdict.Member("confidence").GetString(), verdict.Member("failure").GetString()));
        Assert.Contains(verdict.Member("claims").EnumerateArray(), c => c.Member("text").GetString()!.Contains(sentence, StringComparison.Ordinal));
        if (place is not null)
        {
            Assert.Contains(place, verdict.Member("lookAt")[0].Member("code").GetString(), StringComparison.Ordinal);
        }

        uint thread = verdict.Member("threads")[0].GetUInt32();
        Assert.NotEqual(report.Member("process").Member("id").GetUInt32(), thread);
    }

    public void Dispose() => _lab.Dispose();
}
