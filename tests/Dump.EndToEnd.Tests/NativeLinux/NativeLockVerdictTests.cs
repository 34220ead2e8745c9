using System.Runtime.Versioning;
using System.Text.Json;
using Dump.Capture;
using Dump.EndToEnd.Tests.Live;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.NativeLinux;

/// <summary>Programs without .NET that hang in the locks of the C library: the same verdict on the living process and on the core of that moment.</summary>
[SupportedOSPlatform("linux")]
public sealed class NativeLockVerdictTests : IDisposable
{
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-native-locks-").FullName;

    /// <summary>Scene and expected verdict; DUMP9001 for those that no lock explains, and for what goes on.</summary>
    public static TheoryData<string, string> Scenes => new()
    {
        { "mutex-cycle2", "DUMP1002" },
        { "robust-cycle", "DUMP1002" },
        { "self-deadlock", "DUMP1002" },
        { "writers", "DUMP1002" },
        { "stream-cycle", "DUMP1002" },
        { "orphan", "DUMP1003" },
        { "forked", "DUMP1003" },
        { "inheriting-cycle", "DUMP1002" },
        { "inheriting-and-normal", "DUMP1002" },
        { "inheriting-orphan", "DUMP1003" },
        { "load", "DUMP1004" },
        { "reader-holds", "DUMP9001" },
        { "lost-condition", "DUMP9001" },
        { "timed", "DUMP9001" },
    };

    /// <summary>The same for what these do not show alone.</summary>
    public static TheoryData<string, string> FurtherScenes => new()
    {
        { "mutex-cycle3", "DUMP1002" },
        { "recursive-cycle", "DUMP1002" },
        { "checking-cycle", "DUMP1002" },
        { "adaptive-cycle", "DUMP1002" },
        { "join-under-lock", "DUMP1002" },
        { "short-barrier", "DUMP9001" },
        { "empty-semaphore", "DUMP9001" },
        { "inheriting-cycle3", "DUMP1002" },
        { "inheriting-self", "DUMP1002" },
    };

    [SkippableTheory]
    [MemberData(nameof(Scenes))]
    public void Hang_gets_its_verdict_living_and_as_a_core(string scene, string expected)
    {
        Skip.If(NativeLinuxLab.Unavailable is not null, NativeLinuxLab.Unavailable);
        using LiveScene running = NativeLinuxLab.Start(scene);
        (int ExitCode, JsonElement Report)[] looks = LiveLook.WithCore(running, _directory);
        Assert.All(looks, l => AssertIs(expected, l.ExitCode, l.Report));
        Assert.Equal(Chains(looks[0].Report), Chains(looks[1].Report));
    }

    /// <summary>The system calls such a process a zombie, and shows its memory under the id of another thread alone.</summary>
    [SkippableFact]
    public void Process_whose_first_thread_has_ended_gets_its_verdict_living_and_as_a_core()
    {
        Skip.If(NativeLinuxLab.Unavailable is not null, NativeLinuxLab.Unavailable);
        using LiveScene running = NativeLinuxLab.Start("first-thread-ended", rests: false);
        Assert.True(SpinWait.SpinUntil(() => running.State == 'Z', TimeSpan.FromMinutes(5)));
        (int ExitCode, JsonElement Report)[] looks = LiveLook.WithCore(running, _directory);
        Assert.All(looks, l => AssertIs("DUMP1002", l.ExitCode, l.Report));
        Assert.Equal(Chains(looks[0].Report), Chains(looks[1].Report));
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(FurtherScenes))]
    public void Further_hang_gets_its_verdict_living_and_as_a_core(string scene, string expected) =>
        Hang_gets_its_verdict_living_and_as_a_core(scene, expected);

    /// <summary>
    /// The kernel refuses the wait that would close a cycle of priority-inheriting mutexes, and which it was follows from what is left; where a mutex of
    /// another kind is among them, the kernel refuses nothing and all is read.
    /// </summary>
    [SkippableTheory]
    [InlineData("inheriting-cycle", "Likely")]
    [InlineData("inheriting-and-normal", "Confirmed")]
    public void Cycle_of_inheriting_mutexes_is_as_sure_as_its_last_wait(string scene, string confidence)
    {
        Skip.If(NativeLinuxLab.Unavailable is not null, NativeLinuxLab.Unavailable);
        using LiveScene running = NativeLinuxLab.Start(scene);
        JsonElement verdict = LiveLook.At(running).Report.Member("verdicts")[0];
        Assert.Equal(("DUMP1002", confidence), (verdict.Member("id").GetString(), verdict.Member("confidence").GetString()));
        Assert.Equal(2, verdict.Member("threads").GetArrayLength());
    }

    /// <summary>
    /// Six threads that take three locks in one order, all the time; four that take two which inherit priorities; seven that take locks of four kinds, and join,
    /// fork, load libraries and write to streams under them; a lock of the program's own make, and one inside of <c>getaddrinfo</c>, whose neighbours look like an
    /// owner; mutexes that one thread takes and another releases, the second of them while its owner waits for it once more.
    /// </summary>
    public static TheoryData<string> BusyScenes =>
        ["busy", "inheriting-busy", "busy-kinds", "own-locks", "resolvers", "handed-over", "mutex-as-signal"];

    /// <inheritdoc cref="BusyScenes"/>
    [SkippableTheory]
    [MemberData(nameof(BusyScenes))]
    public void Busy_program_has_no_verdict(string scene) => AssertStaysHealthy(scene, looks: 4);

    /// <inheritdoc cref="BusyScenes"/>
    [SkippableTheory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(BusyScenes))]
    public void Busy_program_has_no_verdict_in_many_looks(string scene) => AssertStaysHealthy(scene, looks: 30);

    private static void AssertStaysHealthy(string scene, int looks)
    {
        Skip.If(NativeLinuxLab.Unavailable is not null, NativeLinuxLab.Unavailable);
        using LiveScene running = NativeLinuxLab.Start(scene, rests: false);
        LiveLook.AssertStaysHealthy(running, looks);
    }

    /// <summary>Workers that ask for work without a pause wait so for the next: the time that they use proves no hang, however long they are looked at.</summary>
    [SkippableFact]
    public void Workers_that_ask_for_work_are_no_hang()
    {
        Skip.If(NativeLinuxLab.Unavailable is not null, NativeLinuxLab.Unavailable);
        using LiveScene running = NativeLinuxLab.Start("asking-workers", rests: false);
        VerdictAssert.IsAtMostSuspected(LiveLook.At(running, "--interval", "6s").Report);
    }

    /// <summary>The locks hold the ids of the container, and the system shows others.</summary>
    [SkippableTheory]
    [InlineData("mutex-cycle2", "DUMP1002", false)]
    [InlineData("orphan", "DUMP1003", false)]
    [InlineData("mutex-cycle2", "DUMP1002", true)]
    public void Hang_in_a_container_gets_its_verdict_from_outside(string scene, string expected, bool withUsers)
    {
        Skip.If(NativeLinuxLab.Unavailable is not null, NativeLinuxLab.Unavailable);
        Skip.IfNot(Environment.IsPrivilegedProcess, "needs root, to make a namespace for process ids");
        using LiveScene running = NativeLinuxLab.StartInNamespace(scene, withUsers);
        Assert.All(LiveLook.WithCore(running, _directory), l => AssertIs(expected, l.ExitCode, l.Report));
    }

    /// <summary>The process id is that outside of the container, and the thread's that inside of it.</summary>
    [SkippableFact]
    public void First_thread_in_a_container_is_told_living_and_as_a_core()
    {
        Skip.If(NativeLinuxLab.Unavailable is not null, NativeLinuxLab.Unavailable);
        Skip.IfNot(Environment.IsPrivilegedProcess, "needs root, to make a namespace for process ids");
        using LiveScene running = NativeLinuxLab.StartInNamespace("timed");
        string core = Path.Combine(_directory, "core");
        LiveSnapshot living = LiveSnapshotReader.Read(running.ProcessId, new LiveReadOptions { Interval = TimeSpan.FromMilliseconds(100), KeepPath = core });
        Assert.Equal(1u, Assert.Single(living.Snapshot.Threads, t => t.IsFirst).Id);
        using ElfCoreFile kept = ElfCoreFile.Open(core);
        Assert.Equal(1u, Assert.Single(LinuxSnapshotReader.Read(kept, "core").Threads, t => t.IsFirst).Id);
        LiveLook.AssertGoesOn(running);
    }

    /// <summary>The kernel leaves out the code of libraries: it is read from the files that the core names.</summary>
    [SkippableFact]
    public void Core_of_the_kernel_gets_its_verdict_and_stacks()
    {
        Skip.If(NativeLinuxLab.Unavailable is not null, NativeLinuxLab.Unavailable);
        KernelCores.SkipWithoutThem();
        (int exitCode, JsonElement report) = DumpAnalyze.Json(NativeLinuxLab.CoreByKernel("mutex-cycle2", _directory));
        VerdictAssert.Is("DUMP1002", exitCode, report);
        JsonElement verdict = report.Member("verdicts")[0];
        string[] functions =
        [
            .. verdict.Member("stacks")[0].Member("frames").EnumerateArray()
                .Select(f => $"{f.Member("module").GetString()}!{f.Member("function").GetString()}"),
        ];
        Assert.Equal("native-hang!(anonymous namespace)::take_second", functions[2]);
        Assert.Equal("libc.so.6!pthread_mutex_lock", functions[1]);
        AssertStandsInTakeSecond(verdict.Member("stacks")[0].Member("frames")[2].Member("source"));
        Assert.All(verdict.Member("lookAt").EnumerateArray(), l => Assert.Contains("take_second", l.GetRawText(), StringComparison.Ordinal));
        Assert.Equal(2, verdict.Member("lookAt").GetArrayLength());
    }

    /// <summary>The line of the source that locks, which the program's debug data tells.</summary>
    private static void AssertStandsInTakeSecond(JsonElement source)
    {
        const string File = "native-hang.cpp";
        string path = Path.Combine(Repository.Root, "samples", "linux", File);
        string[] lines = System.IO.File.ReadAllLines(path);
        int function = Array.FindIndex(lines, l => l.Contains("void take_second(", StringComparison.Ordinal));
        int locks = Array.FindIndex(lines, function, l => l.Contains("pthread_mutex_lock(mutex);", StringComparison.Ordinal));
        Assert.Equal((path, locks + 1), (source.Member("file").GetString(), source.Member("line").GetInt32()));
    }

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    private static void AssertIs(string expected, int exitCode, JsonElement report)
    {
        if (expected != "DUMP9001")
        {
            VerdictAssert.Is(expected, exitCode, report);
            return;
        }

        Assert.Equal(13, exitCode);
        Assert.Empty(report.Member("verdicts").EnumerateArray());
        Assert.Contains("who ends the waits of native Linux code", report.Member("detectors").GetRawText(), StringComparison.Ordinal);
    }

    /// <summary>Waiters, locks and holders.</summary>
    private static string[] Chains(JsonElement report) =>
    [
        .. report.Member("verdicts").EnumerateArray().SelectMany(v => v.Member("chain").EnumerateArray())
            .Select(l => l.Member("resource").GetRawText()),
    ];
}
