using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.NativeLinux;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>Cores that not createdump wrote but the kernel or gcore: complete ones answer, others say what they lack and how to capture it.</summary>
[SupportedOSPlatform("linux")]
public sealed class ForeignCoreTests : IDisposable
{
    private const string Default = "0x33";
    private const string Complete = "0x3f";
    private const string CallbackCycle = "pthread-callback-cycle";
    private readonly LinuxLab _lab = new();

    [SkippableFact]
    public void Core_of_the_kernel_with_mapped_files_gives_the_verdict()
    {
        LabDump dump = Kernel("monitor-cycle2", Complete);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.Path);
        VerdictAssert.Is("DUMP1002", exitCode, report);
        Assert.Equal(((string[])["transfer-0", "transfer-1"]).Select(dump.Thread).Order(), VerdictAssert.Threads(report));
    }

    /// <summary>A monitor and a mutex of the C library in one cycle, whose managed half native code calls back: managed frames below and above it.</summary>
    [SkippableTheory]
    [InlineData(true)]
    [InlineData(false)]
    public void Cycle_of_managed_and_native_locks_through_a_callback_gets_its_verdict(bool byKernel)
    {
        LabDump dump = byKernel ? Kernel(CallbackCycle, Complete) : Debugger(CallbackCycle, Complete);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.Path);
        VerdictAssert.Is("DUMP1002", exitCode, report);

        // A normal mutex does not check who releases it, and the program's first thread goes on.
        Assert.Equal("Likely", report.Member("verdicts")[0].Member("confidence").GetString());
        Assert.Equal(((string[])["owns-native", "owns-monitor"]).Select(dump.Thread).Order(), VerdictAssert.Threads(report));
        string[] functions = VerdictAssert.Functions(report, dump.Thread("owns-native"));
        int called = Array.FindIndex(functions, f => f.EndsWith(".IL_STUB_ReversePInvoke", StringComparison.Ordinal));
        Assert.True(called > 0, string.Join('\n', functions));
        Assert.InRange(called, Array.FindIndex(functions, IsOfScene), Array.FindLastIndex(functions, IsOfScene));
    }

    /// <summary>Its busy twin: threads that take both in one order all the time.</summary>
    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData(true)]
    [InlineData(false)]
    public void Core_of_a_busy_program_with_managed_and_native_locks_is_never_likely(bool byKernel)
    {
        const string Busy = "pthread-busy";
        JsonElement report = DumpAnalyze.Json((byKernel ? Kernel(Busy, Complete) : Debugger(Busy, Complete)).Path).Report;
        VerdictAssert.IsAtMostSuspected(report);
    }

    /// <summary>
    /// The kernel writes the whole process' time into its first thread; how much a thread gets depends on the machine's load, whose it is does not.
    /// </summary>
    [SkippableFact]
    public void Processor_times_in_a_core_of_the_kernel_belong_to_their_threads()
    {
        LabDump dump = Kernel("spin-owner", Complete);
        JsonElement threads = JsonDocument.Parse(DumpAnalyze.Run("threads", dump.Path, "--format", "json").Output).RootElement.Member("threads");
        long User(string role) => threads.EnumerateArray().Single(t => t.Member("id").GetUInt32() == dump.Thread(role)).Member("userMicroseconds")
            .GetInt64();
        Assert.InRange(User("owner"), 100_000, long.MaxValue);
        Assert.InRange(User("main"), 0, User("owner"));
    }

    [SkippableFact]
    public void Core_of_the_kernel_without_mapped_files_says_how_to_capture_them()
    {
        (int exitCode, JsonElement report) = DumpAnalyze.Json(Kernel("monitor-cycle2", Default).Path);
        Assert.Equal(13, exitCode);
        Assert.Contains("0x3f", report.Member("detectors").GetRawText(), StringComparison.Ordinal);
    }

    /// <summary>Only monitors are still found in such a core; a cycle of <c>Lock</c> objects must not end as "no hang found".</summary>
    [SkippableTheory]
    [InlineData("lock-cycle", Default, "DUMP9001")]
    public void Core_of_gcore_never_says_that_there_is_no_problem(string scene, string filter, string expected)
    {
        (int exitCode, JsonElement report) = DumpAnalyze.Json(Debugger(scene, filter).Path);
        VerdictAssert.Is(expected, exitCode, report);
        Assert.Equal(filter == Default, report.Member("detectors").GetRawText().Contains("coredump_filter", StringComparison.Ordinal));
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("monitor-cycle2", Default, "DUMP1002")]
    [InlineData("lock-cycle", Complete, "DUMP1002")]
    public void Another_core_of_gcore_never_says_that_there_is_no_problem(string scene, string filter, string expected) =>
        Core_of_gcore_never_says_that_there_is_no_problem(scene, filter, expected);

    public void Dispose() => _lab.Dispose();

    private static bool IsOfScene(string function) => function.EndsWith(".PthreadScenes.CallbackCycle.lambda", StringComparison.Ordinal);

    private LabDump Debugger(string scene, string filter)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        Skip.IfNot(File.Exists("/usr/bin/gcore"), "needs gcore (package gdb)");
        return _lab.DumpByDebugger(scene, filter);
    }

    private LabDump Kernel(string scene, string filter)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        KernelCores.SkipWithoutThem();
        return _lab.DumpByKernel(scene, filter);
    }
}
