using System.Globalization;
using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.NativeLinux;

/// <summary>
/// Cores of native ARM64 processes, written by a kernel for ARM64 in an emulator: the verdicts that the same scenes get on x64, and the frames that gdb finds.
/// </summary>
[SupportedOSPlatform("linux")]
[Trait("Category", "Slow")]
public sealed class Arm64CoreVerdictTests
{
    private const string Debugger = "/usr/bin/gdb-multiarch";

    /// <summary>Scene with the kind of its program, expected verdict and confidence.</summary>
    public static TheoryData<string, string, string> Hangs => new()
    {
        { "mutex-cycle2", "DUMP1002", "Confirmed" },
        { "mutex-cycle3", "DUMP1002", "Confirmed" },
        { "recursive-cycle", "DUMP1002", "Confirmed" },
        { "robust-cycle", "DUMP1002", "Confirmed" },
        { "inheriting-cycle", "DUMP1002", "Likely" },
        { "self-deadlock", "DUMP1002", "Confirmed" },
        { "writers", "DUMP1002", "Confirmed" },
        { "join-under-lock", "DUMP1002", "Confirmed" },
        { "stream-cycle", "DUMP1002", "Confirmed" },
        { "interrupted-mutex", "DUMP1002", "Confirmed" },
        { "orphan", "DUMP1003", "Likely" },
        { "load", "DUMP1004", "Confirmed" },
        { "mutex-cycle2-pac", "DUMP1002", "Confirmed" },
        { "interrupted-mutex-pac", "DUMP1002", "Confirmed" },
        { "normal-cycle-c", "DUMP1002", "Confirmed" },
        { "normal-cycle-frame", "DUMP1002", "Confirmed" },
        { "join-under-lock-frame", "DUMP1002", "Confirmed" },
        { "normal-cycle-static", "DUMP1002", "Confirmed" },
    };

    /// <summary>Scenes that no owner explains, and what is said of a wait in them.</summary>
    public static TheoryData<string, string> OpenWaits => new()
    {
        { "reader-holds", "held by 1 reader" },
        { "lost-condition", "condition variable" },
        { "short-barrier", "2 of 3 have arrived" },
        { "empty-semaphore", "semaphore" },
        { "static-init", "initialisation of a static variable" },
        { "stuck-once", "one-time initialisation" },
        { "locked-file", "file lock of descriptor 3" },
        { "calls", "input or output on file descriptor 3" },
        { "idle-server", "for any of its files to become ready" },
        { "held-spin-lock", "spin lock of the C library" },
    };

    [SkippableTheory]
    [MemberData(nameof(Hangs))]
    public void Hang_gets_its_verdict(string scene, string expected, string confidence)
    {
        Skip.If(Arm64Lab.Unavailable is not null, Arm64Lab.Unavailable);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(Arm64Lab.Core(scene), "--images", Arm64Lab.Root);
        Assert.Equal((confidence == "Confirmed" ? 10 : 11, "Linux arm64"), (exitCode, report.Member("process").Member("system").GetString()));
        JsonElement verdict = report.Member("verdicts").EnumerateArray().First();
        Assert.Equal((expected, confidence), (verdict.Member("id").GetString(), verdict.Member("confidence").GetString()));
    }

    [SkippableTheory]
    [MemberData(nameof(OpenWaits))]
    public void Wait_without_an_owner_is_named(string scene, string words)
    {
        Skip.If(Arm64Lab.Unavailable is not null, Arm64Lab.Unavailable);
        DumpAnalyze run = DumpAnalyze.Run(Arm64Lab.Core(scene), "--images", Arm64Lab.Root);
        Assert.Equal(13, run.ExitCode);
        Assert.Contains(words, run.Output, StringComparison.Ordinal);
    }

    /// <summary>Waits with a time limit, and threads that take locks in one order.</summary>
    [SkippableTheory]
    [InlineData("timed")]
    [InlineData("busy")]
    public void Healthy_program_gets_no_verdict_of_a_deadlock(string scene)
    {
        Skip.If(Arm64Lab.Unavailable is not null, Arm64Lab.Unavailable);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(Arm64Lab.Core(scene), "--images", Arm64Lab.Root);
        Assert.True(exitCode is 12 or 13, $"{exitCode}");
        Assert.DoesNotContain(report.Member("verdicts").EnumerateArray(), v => v.Member("confidence").GetString() is "Confirmed" or "Likely");
    }

    /// <summary>Walked by tables, through a handler of signals, with signed return addresses, and by frame records where there are no tables.</summary>
    [SkippableTheory]
    [InlineData("mutex-cycle2", "native-hang")]
    [InlineData("interrupted-mutex", "native-hang")]
    [InlineData("load", "native-hang")]
    [InlineData("stream-cycle", "native-hang")]
    [InlineData("calls", "native-hang")]
    [InlineData("mutex-cycle2-pac", "native-hang-pac")]
    [InlineData("interrupted-mutex-pac", "native-hang-pac")]
    [InlineData("normal-cycle-frame", "c-hang-frame")]
    [InlineData("join-under-lock-frame", "c-hang-frame")]
    public void Frames_are_those_of_the_debugger(string scene, string program)
    {
        Skip.If(Arm64Lab.Unavailable is not null, Arm64Lab.Unavailable);
        Skip.IfNot(File.Exists(Debugger), "needs gdb-multiarch");
        Dictionary<uint, ulong[]> theirs = DebuggerFrames.Of(Debugger, Arm64Lab.Core(scene), Path.Combine(Arm64Lab.Root, "samples", program), Arm64Lab.Root);
        JsonElement threads = JsonDocument.Parse(DumpAnalyze.Run("threads", Arm64Lab.Core(scene), "--images", Arm64Lab.Root, "--format", "json").Output)
            .RootElement.Member("threads");
        Assert.Equal(theirs.Keys.Order(), threads.EnumerateArray().Select(t => t.Member("id").GetUInt32()).Order());
        foreach (JsonElement thread in threads.EnumerateArray())
        {
            ulong[] ours =
            [
                .. thread.Member("frames").EnumerateArray()
                    .Select(f => ulong.Parse(f.Member("instructionPointer").GetString().AsSpan(2), NumberStyles.HexNumber, CultureInfo.InvariantCulture)),
            ];
            Assert.Equal(theirs[thread.Member("id").GetUInt32()], ours);
        }
    }

    /// <summary>Without the files of its system neither code nor names are known: nothing is said, and what to give is.</summary>
    [SkippableFact]
    public void Core_without_its_files_gets_no_verdict()
    {
        Skip.If(Arm64Lab.Unavailable is not null, Arm64Lab.Unavailable);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(Arm64Lab.Core("mutex-cycle2"));
        Assert.Equal(13, exitCode);
        Assert.Empty(report.Member("verdicts").EnumerateArray());
    }
}
