using System.Text.Json;
using Dump.EndToEnd.Tests.Synthetic;
using Dump.Testing;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>
/// Other people's dumps of crashes, with thread, exception and place that an independent reader found (<c>minidump_stackwalk</c>, the corpus' expected values).
/// </summary>
public sealed class CrashCorpusTests
{
    [SkippableTheory]
    [InlineData("x64/invalid-parameter.dmp", 5896, "an invalid parameter (0xc000000d) at crashtest+")]
    [InlineData("x64/sentry-native.dmp", 12996, "an access violation (0xc0000005) at vcruntime140d+0x20476: it wrote to 0x20")]
    [InlineData("x64/tiny-exe-fastfail.dmp", 24440, "a fast fail (0xc0000409) at tiny+0x1af42: the program ended itself, as abort does (subcode 7)")]
    [InlineData("x64/write_av_non_canonical.dmp", 4488, "an access violation (0xc0000005) at crash+0x1331: it used an address that no memory can have")]
    [InlineData("x86/firefox-2006-9threads.dmp", 4684, "an access violation (0xc0000005) at gklayout+0x221515: it read from 0xdddddde1")]
    [InlineData("x86/minidump2.dmp", 3060, "an access violation (0xc0000005) at test_app+0x429e: it wrote to 0x45")]
    [InlineData("x86/stack_exhaustion.dmp", 5744, "a stack overflow (0xc00000fd) at crashme+0xa637")]
    [InlineData("x86/thread_name_list.dmp", 10976, "an access violation (0xc0000005) at allocer32+0x15fd: it read from 0xf1004")]
    public void Crash_is_told_with_thread_exception_and_place(string name, uint thread, string words)
    {
        using SyntheticFile dump = FromCorpus(name);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.FilePath);
        JsonElement verdict = Assert.Single(report.Member("verdicts").EnumerateArray());
        Assert.Equal((14, "DUMP8001", thread), (exitCode, verdict.Member("id").GetString(), verdict.Member("threads")[0].GetUInt32()));
        Assert.Contains($"raised {words}", verdict.Member("claims")[0].Member("text").GetString(), StringComparison.Ordinal);
    }

    [SkippableTheory]
    [InlineData("x64/tiny-exe-with-cet-xsave.dmp")]
    [InlineData("x86/tiny-exe-with-cet-xsave-x86.dmp")]
    public void Dump_without_an_exception_is_none_of_a_crash(string name)
    {
        using SyntheticFile dump = FromCorpus(name);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.FilePath);
        Assert.Equal(13, exitCode);
        Assert.Empty(report.Member("verdicts").EnumerateArray());
    }

    private static SyntheticFile FromCorpus(string name)
    {
        Skip.If(Corpus.Unavailable is not null, Corpus.Unavailable);
        return new SyntheticFile(Corpus.Read(name));
    }
}
