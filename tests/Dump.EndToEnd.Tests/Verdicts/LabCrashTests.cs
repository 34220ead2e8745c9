using System.Globalization;
using System.Text.Json;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>
/// Programs that crash, under Wine, and dumps of them by Microsoft's writer: with the exception that the program's own filter keeps, or as a debugger gets it.
/// How Windows itself dispatches these exceptions is not tested here.
/// </summary>
public sealed class LabCrashTests
{
    [SkippableTheory]
    [InlineData("crash-read", false, "an access violation (0xc0000005) at crash!crash_read: it read from 0x18.", "crash!crash_read")]
    [InlineData("crash-call", false, "an access violation (0xc0000005): it executed code at 0x0.", null)]
    [InlineData("crash-fast-fail", true,
        "a fast fail (0xc0000409) at crash!crash_fast_fail: the program ended itself, as abort does (subcode 7).", "crash!crash_fast_fail")]
    [InlineData("crash-throw", false, "a C++ exception of GCC (0x20474343) at kernelbase!RaiseException.", "crash!crash_throw")]
    public void Crash_is_told_with_its_exception_thread_and_place(string scene, bool asDebugger, string words, string? place) =>
        Check(scene, asDebugger, words, place);

    /// <summary>Wine ends a program whose stack is full before any filter of it runs; a debugger is told.</summary>
    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("crash-read", true, "an access violation (0xc0000005) at crash!crash_read: it read from 0x18.", "crash!crash_read")]
    [InlineData("crash-write", false, "an access violation (0xc0000005) at crash!crash_write: it wrote to 0x{0:x}.", "crash!crash_write")]
    [InlineData("crash-overflow", true, "a stack overflow (0xc00000fd) at crash!crash_overflow.", "crash!crash_overflow")]
    [InlineData("crash-divide", false, "an integer division by zero (0xc0000094) at crash!crash_divide.", "crash!crash_divide")]
    [InlineData("crash-illegal", false, "an illegal instruction (0xc000001d) at crash!crash_illegal.", "crash!crash_illegal")]
    [InlineData("crash-parameter", false,
        "an invalid parameter of a C runtime function (0xc0000417) at kernelbase!RaiseException.", "crash!crash_parameter")]
    [InlineData("crash-own", false, "an exception 0xe0000042 at kernelbase!RaiseException.", "crash!crash_own")]
    [InlineData("crash-throw", true, "a C++ exception of GCC (0x20474343) at kernelbase!RaiseException.", "crash!crash_throw")]
    public void Further_crash_is_told_with_its_exception_thread_and_place(string scene, bool asDebugger, string words, string? place) =>
        Check(scene, asDebugger, words, place);

    /// <summary>The program handled an exception before; the dump's exception is the breakpoint of the debugger that wrote it.</summary>
    [SkippableFact]
    public void Hang_after_a_handled_exception_stays_a_hang_at_a_debuggers_breakpoint()
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        LabDump dump = WineLab.Shared.DumpAtBreakpoint("crash-handled");
        (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.Path);
        VerdictAssert.Is("DUMP1002", exitCode, report);
        Assert.Equal([.. ((uint[])[dump.Thread("first"), dump.Thread("second")]).Order()], VerdictAssert.Threads(report));
    }

    [SkippableFact]
    [Trait("Category", "Slow")]
    public void Healthy_program_at_a_debuggers_breakpoint_has_not_crashed()
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(WineLab.Shared.DumpAtBreakpoint("idle").Path);
        Assert.Contains(exitCode, (int[])[0, 13]);
        Assert.Empty(report.Member("verdicts").EnumerateArray());
    }

    private static void Check(string scene, bool asDebugger, string words, string? place)
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        LabDump dump = WineLab.Shared.DumpOfCrash(scene, asDebugger);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.Path);
        JsonElement verdict = Assert.Single(report.Member("verdicts").EnumerateArray());
        Assert.Equal((14, "DUMP8001", dump.Thread("crashing")),
            (exitCode, verdict.Member("id").GetString(), verdict.Member("threads")[0].GetUInt32()));
        string told = string.Format(CultureInfo.InvariantCulture, words, dump.Addresses.GetValueOrDefault("target"));
        string[] claims = [.. verdict.Member("claims").EnumerateArray().Select(c => c.Member("text").GetString()!)];
        Assert.EndsWith($" raised {told}", claims[0], StringComparison.Ordinal);

        // The filter of the system stands on the stack of a thread whose exception nobody handles; a debugger gets it before, but for a fast fail.
        Assert.Equal(asDebugger && scene != "crash-fast-fail" ? "Likely" : "Confirmed", verdict.Member("confidence").GetString());
        if (place is null)
        {
            // Nothing tells how to walk from an address without code; the caller is found by a search.
            Assert.False(verdict.TryGetProperty("lookAt", out _));
            Assert.Contains("The program's own code below it is perhaps crash!crash_call.", claims);
        }
        else
        {
            Assert.Equal(place, Assert.Single(verdict.Member("lookAt").EnumerateArray()).Member("code").GetString());
        }
    }
}
