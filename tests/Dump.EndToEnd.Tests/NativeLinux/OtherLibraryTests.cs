using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Live;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.NativeLinux;

/// <summary>
/// Programs on musl, linked dynamically and statically, and in Rust: a verdict where their locks store an owner, a name for what is waited for where they do
/// not, on the living process and on the core of that moment.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class OtherLibraryTests : IDisposable
{
    private const int BusyLooks = 5;
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-other-libraries-").FullName;

    [SkippableTheory]
    [InlineData("recursive-cycle", "DUMP1002", false)]
    [InlineData("checking-cycle", "DUMP1002", true)]
    [InlineData("robust-cycle", "DUMP1002", false)]
    [InlineData("orphan", "DUMP1003", true)]
    [InlineData("join-under-lock", "DUMP1002", false)]
    [InlineData("join-under-inheriting", "DUMP1002", false)]
    public void Hang_on_musl_gets_its_verdict(string scene, string expected, bool isStatic)
    {
        Skip.If(NativeLinuxLab.MuslUnavailable is not null, NativeLinuxLab.MuslUnavailable);
        string program = isStatic ? NativeLinuxLab.StaticMuslProgram : NativeLinuxLab.MuslProgram;
        foreach ((int exitCode, JsonElement report) in Look(program, scene))
        {
            VerdictAssert.Is(expected, exitCode, report);
            Assert.Equal("Confirmed", report.GetProperty("verdicts")[0].GetProperty("confidence").GetString());
        }
    }

    /// <summary>The same program on glibc, where a normal mutex stores its owner too.</summary>
    [SkippableTheory]
    [InlineData("normal-cycle", "DUMP1002")]
    [InlineData("robust-cycle", "DUMP1002")]
    [InlineData("orphan", "DUMP1003")]
    [InlineData("join-under-inheriting", "DUMP1002")]
    public void Hang_in_C_on_glibc_gets_its_verdict(string scene, string expected)
    {
        Skip.If(NativeLinuxLab.CUnavailable is not null, NativeLinuxLab.CUnavailable);
        foreach ((int exitCode, JsonElement report) in Look(NativeLinuxLab.CProgram, scene))
        {
            VerdictAssert.Is(expected, exitCode, report);
            Assert.Equal("Confirmed", report.GetProperty("verdicts")[0].GetProperty("confidence").GetString());
        }
    }

    /// <summary>What stores no owner is no verdict, and never "no hang found".</summary>
    [SkippableTheory]
    [InlineData("normal-cycle", "PthreadMutex", 2, "musl keeps no owner in a normal mutex")]
    [InlineData("writer-holds", "PthreadReaderWriterLock", 1, "held by a writer, which it does not name")]
    public void Lock_of_musl_without_an_owner_is_named(string scene, string kind, int threads, string words)
    {
        Skip.If(NativeLinuxLab.MuslUnavailable is not null, NativeLinuxLab.MuslUnavailable);
        AssertNamed(Look(NativeLinuxLab.MuslProgram, scene), kind, threads, words);
    }

    [SkippableTheory]
    [InlineData("mutex-cycle", "RustMutex", 2, "held by whom it does not store", "take_second")]
    [InlineData("reader-waits", "RustReaderWriterLock", 1, "held by a writer, which it does not name", "read_shared")]
    [InlineData("writer-waits", "RustReaderWriterLock", 1, "held by 1 reader, which it does not name", "write_shared")]
    [InlineData("lost-condition", "ConditionVariable", 2, "the mutex that it takes again is unknown", "wait_for_signal")]
    public void Wait_in_Rust_is_named(string scene, string kind, int threads, string words, string function)
    {
        Skip.If(NativeLinuxLab.RustUnavailable is not null, NativeLinuxLab.RustUnavailable);
        (int ExitCode, JsonElement Report)[] looks = Look(NativeLinuxLab.RustProgram, scene);
        AssertNamed(looks, kind, threads, words);
        Assert.All(looks, l => Assert.All(Named(l.Report, kind), w =>
            Assert.Equal($"rust_hang::{function}", w.GetProperty("lookAt").GetProperty("function").GetString())));
    }

    [SkippableTheory]
    [InlineData("Rust")]
    [InlineData("musl")]
    [InlineData("C")]
    public void Busy_program_has_no_verdict(string kind)
    {
        string? unavailable = kind switch
        {
            "Rust" => NativeLinuxLab.RustUnavailable,
            "musl" => NativeLinuxLab.MuslUnavailable,
            _ => NativeLinuxLab.CUnavailable,
        };
        Skip.If(unavailable is not null, unavailable);
        string program = kind switch { "Rust" => NativeLinuxLab.RustProgram, "musl" => NativeLinuxLab.MuslProgram, _ => NativeLinuxLab.CProgram };
        using LiveScene running = NativeLinuxLab.StartProgram("busy", program, rests: false);
        for (int look = 0; look < BusyLooks; look++)
        {
            (int exitCode, JsonElement report) = LiveLook.At(running);
            Assert.DoesNotContain(report.GetProperty("verdicts").EnumerateArray(), v => v.GetProperty("confidence").GetString() != "Suspected");
            Assert.Contains(exitCode, (int[])[12, 13]);
        }

        LiveLook.AssertGoesOn(running);
    }

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    private static void AssertNamed((int ExitCode, JsonElement Report)[] looks, string kind, int threads, string words)
    {
        foreach ((int exitCode, JsonElement report) in looks)
        {
            Assert.Equal(13, exitCode);
            Assert.Empty(report.GetProperty("verdicts").EnumerateArray());
            Assert.Equal(threads, report.GetProperty("waits").EnumerateArray().Count(w => w.GetProperty("resource").GetProperty("kind").GetString() == kind));
            Assert.NotEmpty(Named(report, kind));
            Assert.All(Named(report, kind), w => Assert.Contains(words, w.GetProperty("text").GetString(), StringComparison.Ordinal));
        }
    }

    private static JsonElement[] Named(JsonElement report, string kind) =>
    [
        .. report.GetProperty("openWaits").EnumerateArray()
            .Where(w => w.TryGetProperty("resource", out JsonElement resource) && resource.GetProperty("kind").GetString() == kind),
    ];

    /// <summary>On the living process, which keeps its core, and on that.</summary>
    private (int ExitCode, JsonElement Report)[] Look(string program, string scene)
    {
        using LiveScene running = NativeLinuxLab.StartProgram(scene, program);
        string core = Path.Combine(_directory, "core");
        (int ExitCode, JsonElement Report) living = LiveLook.At(running, "--keep", core);
        LiveLook.AssertGoesOn(running);
        return [living, DumpAnalyze.Json(core)];
    }
}
