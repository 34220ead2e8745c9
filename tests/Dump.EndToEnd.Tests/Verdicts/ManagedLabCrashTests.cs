using System.Text.Json;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>
/// .NET programs for Windows that crash, under Wine: dumped as a debugger is told of it, or by the runtime itself, which records no exception. How Windows
/// itself dispatches these exceptions is not tested here. A program that ends itself is gone under Wine before a debugger is told; and one whose stack is full
/// has no dump written.
/// </summary>
public sealed class ManagedLabCrashTests : IDisposable
{
    private const string Version = "10.0.12";
    private const string Scenes = "managed-hang!Dump.Samples.Managed.Scenes.CrashScenes.";
    private const string NoOrder =
        "The exception is System.InvalidOperationException: \"no order 7\", caused by System.ArgumentException: \"it was never placed\".";

    private const string NoObject = "The exception is System.NullReferenceException: \"Object reference not set to an instance of an object.\".";
    private readonly ManagedWineLab _lab = new();

    [SkippableFact]
    public void Exception_that_nobody_handles_is_told_with_its_causes_and_method() => Check(
        Version, "crash-thrown", "a .NET exception (0xe0434352) at kernelbase!RaiseException.", "System.InvalidOperationException", NoOrder, "Order");

    /// <summary>The code, the failure, a sentence on it, and the method to look at. One is handling an exception when it fails with another.</summary>
    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData(Version, "crash-pool", "a .NET exception (0xe0434352)", "System.InvalidOperationException", NoOrder, "Order")]
    [InlineData(Version, "crash-null", "an access violation (0xc0000005)", "System.NullReferenceException", NoObject, "AddTo")]
    [InlineData(Version, "crash-overflow", "a stack overflow (0xc00000fd)", "0xc00000fd", "times on its stack: it calls itself without end.", "Descend")]
    [InlineData(Version, "crash-in-catch", "an access violation (0xc0000005)", "System.NullReferenceException", NoObject, "FailWhileHandling")]
    [InlineData("8.0.30", "crash-thrown", "a .NET exception (0xe0434352)", "System.InvalidOperationException", NoOrder, "Order")]
    [InlineData("8.0.30", "crash-null", "an access violation (0xc0000005)", "System.NullReferenceException", NoObject, "AddTo")]
    public void Crash_is_told_with_its_exception_thread_and_method(
        string version, string scene, string words, string failure, string sentence, string method) => Check(version, scene, words, failure, sentence, method);

    [SkippableFact]
    [Trait("Category", "Slow")]
    public void Program_that_ended_itself_is_known_by_its_stack_where_the_runtime_has_the_dump_written()
    {
        Require(Version);
        LabDump dump = _lab.DumpOfCrash(Version, "crash-failfast", "--own");
        (int exitCode, JsonElement report) = Read(dump, Version);
        JsonElement verdict = Crash(dump, exitCode, report, "Environment.FailFast", "AddTo");
        Assert.Equal("Confirmed", verdict.Member("confidence").GetString());
        Assert.EndsWith(" ends the process: it called Environment.FailFast.", Assert.Single(Claims(verdict)), StringComparison.Ordinal);
    }

    /// <summary>The runtime's own dump records no exception, a debugger's does.</summary>
    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("crash-thrown", "System.InvalidOperationException", NoOrder, "Order")]
    [InlineData("crash-null", "System.NullReferenceException", NoObject, "AddTo")]
    public void Crash_is_one_group_whether_a_debugger_or_the_runtime_has_dumped_it(string scene, string failure, string sentence, string method)
    {
        Require(Version);
        LabDump byRuntime = _lab.DumpOfCrash(Version, scene, "--own");
        (int exitCode, JsonElement report) = Read(byRuntime, Version);
        JsonElement verdict = Crash(byRuntime, exitCode, report, failure, method);
        Assert.Equal("Confirmed", verdict.Member("confidence").GetString());
        Assert.Contains(Claims(verdict), c => c.EndsWith(sentence, StringComparison.Ordinal));

        string folder = Directory.CreateDirectory(_lab.NewPath("both")).FullName;
        File.Copy(byRuntime.Path, Path.Combine(folder, "runtime.dmp"));
        File.Copy(_lab.DumpOfCrash(Version, scene, "--debugger", "crash").Path, Path.Combine(folder, "debugger.dmp"));
        string records = _lab.NewPath("records"), overview = _lab.NewPath("overview.json");
        DumpAnalyze triage = DumpAnalyze.RunIn([("WINEPREFIX", WineLab.Prefix)],
            "triage", folder, "--out", records, "--wine", ManagedWineLab.Program, "--dac", ManagedWineLab.Runtime(Version).Directory!, "-j", "1",
            "--timeout", "5min");
        Assert.True(triage.ExitCode == 14, triage.Error);
        Assert.Equal(14, DumpAnalyze.Run("merge", records, "--json", overview).ExitCode);
        JsonElement group = Assert.Single(JsonDocument.Parse(File.ReadAllText(overview)).RootElement.Member("hangs").EnumerateArray());
        Assert.Equal(("DUMP8001", 2), (group.Member("detector").GetString(), group.Member("count").GetInt32()));
    }

    /// <summary>Exceptions were handled, one still is, and the dump's exception is a debugger's breakpoint: the threads lock each other out.</summary>
    [SkippableFact]
    [Trait("Category", "Slow")]
    public void Hang_while_exceptions_are_handled_stays_a_hang()
    {
        Require(Version);
        LabDump dump = _lab.DumpOfCrash(Version, "crash-handled", "--debugger", "breakpoint");
        (int exitCode, JsonElement report) = Read(dump, Version);
        VerdictAssert.Is("DUMP1002", exitCode, report);
        Assert.Equal([.. ((uint[])[dump.Thread("first"), dump.Thread("second")]).Order()], VerdictAssert.Threads(report));
    }

    public void Dispose() => _lab.Dispose();

    private void Check(string version, string scene, string words, string failure, string sentence, string method)
    {
        Require(version);
        LabDump dump = _lab.DumpOfCrash(version, scene, "--debugger", "crash");
        (int exitCode, JsonElement report) = Read(dump, version);
        string[] claims = [.. Claims(Crash(dump, exitCode, report, failure, method))];
        Assert.Contains($" raised {words}", claims[0], StringComparison.Ordinal);
        Assert.Contains(claims, c => c.EndsWith(sentence, StringComparison.Ordinal));
    }

    /// <summary>The only verdict; the frames that it shows hold the method to look at, so that crashes of two methods are two.</summary>
    private static JsonElement Crash(LabDump dump, int exitCode, JsonElement report, string failure, string method)
    {
        JsonElement verdict = Assert.Single(report.Member("verdicts").EnumerateArray());
        Assert.Equal((14, "DUMP8001", failure, dump.Thread("crashing")),
            (exitCode, verdict.Member("id").GetString(), verdict.Member("failure").GetString(), verdict.Member("threads")[0].GetUInt32()));
        string code = Assert.Single(verdict.Member("lookAt").EnumerateArray()).Member("code").GetString()!;
        Assert.StartsWith(Scenes + method, code, StringComparison.Ordinal);
        Assert.Contains(verdict.Member("stacks")[0].Member("frames").EnumerateArray(),
            f => f.TryGetProperty("function", out JsonElement function) && $"managed-hang!{function.GetString()}" == code);
        return verdict;
    }

    private static IEnumerable<string> Claims(JsonElement verdict) =>
        verdict.Member("claims").EnumerateArray().Select(c => c.Member("text").GetString()!);

    private static void Require(string version)
    {
        Skip.If(ManagedWineLab.Unavailable is not null, ManagedWineLab.Unavailable);
        string? unavailable = ManagedWineLab.Runtime(version).Unavailable;
        Skip.If(unavailable is not null, unavailable);
    }

    private static (int ExitCode, JsonElement Report) Read(LabDump dump, string version)
    {
        DumpAnalyze run = DumpAnalyze.RunIn(
            [("WINEPREFIX", WineLab.Prefix)],
            dump.Path, "--format", "json", "--wine", ManagedWineLab.Program, "--dac", ManagedWineLab.Runtime(version).Directory!);
        Assert.True(run.Error.Length == 0, run.Error);
        return (run.ExitCode, JsonDocument.Parse(run.Output).RootElement);
    }
}
