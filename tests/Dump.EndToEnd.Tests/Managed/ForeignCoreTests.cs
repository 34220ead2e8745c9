using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>Cores that not createdump wrote but the kernel or gcore: complete ones answer, others say what they lack and how to capture it.</summary>
[SupportedOSPlatform("linux")]
public sealed class ForeignCoreTests : IDisposable
{
    private const string Default = "0x33";
    private const string Complete = "0x3f";
    private readonly LinuxLab _lab = new();

    [SkippableFact]
    public void Core_of_the_kernel_with_mapped_files_gives_the_verdict()
    {
        LabDump dump = Kernel("monitor-cycle2", Complete);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.Path);
        VerdictAssert.Is("DUMP1002", exitCode, report);
        Assert.Equal(((string[])["transfer-0", "transfer-1"]).Select(dump.Thread).Order(), VerdictAssert.Threads(report));
    }

    /// <summary>
    /// The kernel writes the whole process' time into its first thread; how much a thread gets depends on the machine's load, whose it is does not.
    /// </summary>
    [SkippableFact]
    public void Processor_times_in_a_core_of_the_kernel_belong_to_their_threads()
    {
        LabDump dump = Kernel("spin-owner", Complete);
        JsonElement threads = JsonDocument.Parse(DumpAnalyze.Run("threads", dump.Path, "--format", "json").Output).RootElement.GetProperty("threads");
        long User(string role) => threads.EnumerateArray().Single(t => t.GetProperty("id").GetUInt32() == dump.Thread(role)).GetProperty("userMicroseconds")
            .GetInt64();
        Assert.InRange(User("owner"), 100_000, long.MaxValue);
        Assert.InRange(User("main"), 0, User("owner"));
    }

    [SkippableFact]
    public void Core_of_the_kernel_without_mapped_files_says_how_to_capture_them()
    {
        (int exitCode, JsonElement report) = DumpAnalyze.Json(Kernel("monitor-cycle2", Default).Path);
        Assert.Equal(13, exitCode);
        Assert.Contains("0x3f", report.GetProperty("detectors").GetRawText(), StringComparison.Ordinal);
    }

    /// <summary>Only monitors are still found in such a core; a cycle of <c>Lock</c> objects must not end as "no hang found".</summary>
    [SkippableTheory]
    [InlineData("lock-cycle", Default, "DUMP9001")]
    public void Core_of_gcore_never_says_that_there_is_no_problem(string scene, string filter, string expected)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        Skip.IfNot(File.Exists("/usr/bin/gcore"), "needs gcore (package gdb)");
        (int exitCode, JsonElement report) = DumpAnalyze.Json(_lab.DumpByDebugger(scene, filter).Path);
        VerdictAssert.Is(expected, exitCode, report);
        Assert.Equal(filter == Default, report.GetProperty("detectors").GetRawText().Contains("coredump_filter", StringComparison.Ordinal));
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("monitor-cycle2", Default, "DUMP1002")]
    [InlineData("lock-cycle", Complete, "DUMP1002")]
    public void Another_core_of_gcore_never_says_that_there_is_no_problem(string scene, string filter, string expected) =>
        Core_of_gcore_never_says_that_there_is_no_problem(scene, filter, expected);

    public void Dispose() => _lab.Dispose();

    private LabDump Kernel(string scene, string filter)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        string pattern = File.ReadAllText("/proc/sys/kernel/core_pattern").Trim();
        Skip.If(pattern.Contains('|', StringComparison.Ordinal) || pattern.Contains('/', StringComparison.Ordinal),
            $"needs cores in the current directory, but /proc/sys/kernel/core_pattern is {pattern}");
        return _lab.DumpByKernel(scene, filter);
    }
}
