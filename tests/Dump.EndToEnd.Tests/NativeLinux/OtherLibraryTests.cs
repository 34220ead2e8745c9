using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Live;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.NativeLinux;

/// <summary>
/// Programs on musl, linked dynamically and statically, and in Rust: a verdict where their locks store an owner, a name for what is waited for where they do
/// not, on the living process and on the core of that moment.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class OtherLibraryTests : IDisposable
{
    private const int BusyLooks = 3;
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-other-libraries-").FullName;

    [SkippableTheory]
    [InlineData("recursive-cycle", "DUMP1002", false)]
    [InlineData("checking-cycle", "DUMP1002", true)]
    [InlineData("robust-cycle", "DUMP1002", false)]
    [InlineData("orphan", "DUMP1003", true)]
    [InlineData("join-under-lock", "DUMP1002", false)]
    [InlineData("join-under-inheriting", "DUMP1002", false)]
    [InlineData("inheriting-cycle", "DUMP1002 Likely", false)]
    [InlineData("inheriting-cycle", "DUMP1002 Likely", true)]
    [InlineData("inheriting-recursive-cycle", "DUMP1002 Likely", false)]
    [InlineData("inheriting-orphan", "DUMP1003 Likely", false)]
    [InlineData("inheriting-self", "DUMP1002 Likely", false)]
    public void Hang_on_musl_gets_its_verdict(string scene, string expected, bool isStatic)
    {
        Skip.If(NativeLinuxLab.MuslUnavailable is not null, NativeLinuxLab.MuslUnavailable);
        Assert.All(Look(isStatic ? NativeLinuxLab.StaticMuslProgram : NativeLinuxLab.MuslProgram, scene), l => AssertIs(expected, l.ExitCode, l.Report));
    }

    /// <summary>The same on cores that others write, and of what stores no owner.</summary>
    [SkippableTheory]
    [InlineData("inheriting-cycle", "DUMP1002 Likely")]
    public void Core_of_another_writer_of_a_hang_on_musl_gets_its_verdict(string scene, string expected)
    {
        Skip.If(NativeLinuxLab.MuslUnavailable is not null, NativeLinuxLab.MuslUnavailable);
        AssertCores(NativeLinuxLab.MuslProgram, scene, expected);
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("recursive-cycle", "DUMP1002")]
    [InlineData("checking-cycle", "DUMP1002")]
    [InlineData("robust-cycle", "DUMP1002")]
    [InlineData("orphan", "DUMP1003")]
    [InlineData("join-under-lock", "DUMP1002")]
    [InlineData("join-under-inheriting", "DUMP1002")]
    [InlineData("inheriting-recursive-cycle", "DUMP1002 Likely")]
    [InlineData("inheriting-orphan", "DUMP1003 Likely")]
    [InlineData("inheriting-self", "DUMP1002 Likely")]
    [InlineData("normal-cycle", null)]
    [InlineData("writer-holds", null)]
    public void Further_core_of_a_hang_on_musl_gets_its_verdict(string scene, string? expected)
    {
        Skip.If(NativeLinuxLab.MuslUnavailable is not null, NativeLinuxLab.MuslUnavailable);
        AssertCores(NativeLinuxLab.MuslProgram, scene, expected);
        AssertCores(NativeLinuxLab.StaticMuslProgram, scene, expected);
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("mutex-cycle")]
    [InlineData("reader-waits")]
    [InlineData("writer-waits")]
    [InlineData("lost-condition")]
    public void Core_of_another_writer_of_a_hang_in_Rust_is_undecided(string scene)
    {
        Skip.If(NativeLinuxLab.DebianRustUnavailable is not null, NativeLinuxLab.DebianRustUnavailable);
        AssertCores(NativeLinuxLab.DebianRustProgram, scene, null);
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
        Assert.All(Look(NativeLinuxLab.CProgram, scene), l => AssertIs(expected, l.ExitCode, l.Report));
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
        AssertNamedInRust(NativeLinuxLab.RustProgram, scene, (kind, threads, words), function);
    }

    /// <summary>Debian 12's Rust is 1.63, whose library is built otherwise.</summary>
    [SkippableTheory]
    [InlineData("mutex-cycle", "RustMutex", 2, "held by whom it does not store", "take_second")]
    [InlineData("reader-waits", "RustReaderWriterLock", 1, "held by a writer, which it does not name", "read_shared")]
    [InlineData("writer-waits", "RustReaderWriterLock", 1, "held by 1 reader, which it does not name", "write_shared")]
    [InlineData("lost-condition", "ConditionVariable", 2, "the mutex that it takes again is unknown", "wait_for_signal")]
    public void Wait_in_Rust_of_Debian_is_named(string scene, string kind, int threads, string words, string function)
    {
        Skip.If(NativeLinuxLab.DebianRustUnavailable is not null, NativeLinuxLab.DebianRustUnavailable);
        AssertNamedInRust(NativeLinuxLab.DebianRustProgram, scene, (kind, threads, words), function);
    }

    /// <summary>The twins: two locks in one order, those that inherit priorities and pass from thread to thread, and a robust one whose owner ends in turns.</summary>
    [SkippableTheory]
    [InlineData("Rust", "busy")]
    [InlineData("Debian's Rust", "busy")]
    [InlineData("Rust", "counts")]
    [InlineData("Debian's Rust", "counts")]
    [InlineData("musl", "busy")]
    [InlineData("musl", "inheriting-busy")]
    [InlineData("musl", "inheriting-turns")]
    [InlineData("musl", "robust-busy")]
    [InlineData("C", "busy")]
    [InlineData("C", "inheriting-turns")]
    [InlineData("C", "robust-busy")]
    public void Busy_program_has_no_verdict(string kind, string scene)
    {
        (string? unavailable, Func<string> program) = Program(kind);
        Skip.If(unavailable is not null, unavailable);
        using LiveScene running = NativeLinuxLab.StartProgram(scene, program(), rests: false);
        LiveLook.AssertStaysHealthy(running, BusyLooks);
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("musl", "busy")]
    [InlineData("musl", "inheriting-busy")]
    [InlineData("musl", "robust-busy")]
    [InlineData("C", "robust-busy")]
    [InlineData("Debian's Rust", "busy")]
    public void Core_of_a_busy_program_has_no_verdict(string kind, string scene)
    {
        (string? unavailable, Func<string> program) = Program(kind);
        Skip.If(unavailable is not null, unavailable);
        KernelCores.SkipWithoutThem();
        Skip.IfNot(File.Exists("/usr/bin/gcore"), "needs gdb's gcore");
        VerdictAssert.IsAtMostSuspected(DumpAnalyze.Json(CoreByDebugger(program(), scene, rests: false)).Report);
        VerdictAssert.IsAtMostSuspected(DumpAnalyze.Json(NativeLinuxLab.CoreByKernel(scene, Folder("kernel"), program())).Report);
    }

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    private static (string? Unavailable, Func<string> Path) Program(string kind) => kind switch
    {
        "Rust" => (NativeLinuxLab.RustUnavailable, () => NativeLinuxLab.RustProgram),
        "Debian's Rust" => (NativeLinuxLab.DebianRustUnavailable, () => NativeLinuxLab.DebianRustProgram),
        "musl" => (NativeLinuxLab.MuslUnavailable, () => NativeLinuxLab.MuslProgram),
        _ => (NativeLinuxLab.CUnavailable, () => NativeLinuxLab.CProgram),
    };

    /// <summary>The verdict, Confirmed unless a confidence stands behind its id.</summary>
    private static void AssertIs(string expected, int exitCode, JsonElement report)
    {
        string[] parts = expected.Split(' ');
        VerdictAssert.Is(parts[0], exitCode, report);
        Assert.Equal(parts.ElementAtOrDefault(1) ?? "Confirmed", report.Member("verdicts")[0].Member("confidence").GetString());
    }

    private void AssertNamedInRust(string program, string scene, (string Kind, int Threads, string Words) expected, string function)
    {
        (int ExitCode, JsonElement Report)[] looks = Look(program, scene);

        // All threads of a scene stand in words of the process: of the living one it is known that nobody can end that.
        JsonElement verdict = Assert.Single(looks[0].Report.Member("verdicts").EnumerateArray());
        Assert.Equal((12, "DUMP5001", "Suspected"), (looks[0].ExitCode, verdict.Member("id").GetString(), verdict.Member("confidence").GetString()));
        string[] links =
        [
            .. verdict.Member("chain").EnumerateArray().Where(l => l.Member("resource").Member("kind").GetString() == expected.Kind).Select(l => l.GetRawText()),
        ];
        Assert.Equal(expected.Threads, links.Length);
        Assert.All(links, l => Assert.Contains(expected.Words, l, StringComparison.Ordinal));
        Assert.Contains($"rust_hang::{function}", verdict.Member("lookAt").GetRawText(), StringComparison.Ordinal);
        AssertNamed(looks[1..], expected.Kind, expected.Threads, expected.Words);
        Assert.All(Named(looks[1].Report, expected.Kind), w => Assert.Equal($"rust_hang::{function}", w.Member("lookAt").Member("function").GetString()));
    }

    /// <summary>The verdict on the core of gcore and on that of the kernel; null for "cannot decide".</summary>
    private void AssertCores(string program, string scene, string? expected)
    {
        KernelCores.SkipWithoutThem();
        Skip.IfNot(File.Exists("/usr/bin/gcore"), "needs gdb's gcore");
        foreach (string core in (string[])[CoreByDebugger(program, scene), NativeLinuxLab.CoreByKernel(scene, Folder("kernel"), program)])
        {
            (int exitCode, JsonElement report) = DumpAnalyze.Json(core);
            File.Delete(core);
            if (expected is not null)
            {
                AssertIs(expected, exitCode, report);
                continue;
            }

            Assert.Equal(13, exitCode);
            Assert.Empty(report.Member("verdicts").EnumerateArray());
        }
    }

    private string CoreByDebugger(string program, string scene, bool rests = true)
    {
        using LiveScene running = NativeLinuxLab.StartProgram(scene, program, rests);
        return NativeLinuxLab.CoreByDebugger(running, _directory);
    }

    private string Folder(string name) => Directory.CreateDirectory(Path.Combine(_directory, name)).FullName;

    private static void AssertNamed((int ExitCode, JsonElement Report)[] looks, string kind, int threads, string words)
    {
        foreach ((int exitCode, JsonElement report) in looks)
        {
            Assert.Equal(13, exitCode);
            Assert.Empty(report.Member("verdicts").EnumerateArray());
            Assert.Equal(threads, report.Member("waits").EnumerateArray().Count(w => w.Member("resource").Member("kind").GetString() == kind));
            Assert.NotEmpty(Named(report, kind));
            Assert.All(Named(report, kind), w => Assert.Contains(words, w.Member("text").GetString(), StringComparison.Ordinal));
        }
    }

    private static JsonElement[] Named(JsonElement report, string kind) =>
    [
        .. report.Member("openWaits").EnumerateArray()
            .Where(w => w.TryGetProperty("resource", out JsonElement resource) && resource.Member("kind").GetString() == kind),
    ];

    /// <summary>On the living process, which keeps its core, and on that.</summary>
    private (int ExitCode, JsonElement Report)[] Look(string program, string scene)
    {
        using LiveScene running = NativeLinuxLab.StartProgram(scene, program);
        return LiveLook.WithCore(running, _directory);
    }
}
