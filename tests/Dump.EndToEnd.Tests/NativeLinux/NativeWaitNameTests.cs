using System.Diagnostics;
using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Live;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.NativeLinux;

/// <summary>
/// Programs without .NET whose threads wait for what nobody owns: no verdict, never "no hang found", and each wait with its name, on the living process and on
/// the core of that moment.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class NativeWaitNameTests : IDisposable
{
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-native-waits-").FullName;

    /// <summary>Scene, kind, how many threads wait for it in one group, and words of its state.</summary>
    public static TheoryData<string, string, int, string> Scenes => new()
    {
        { "lost-condition", "ConditionVariable", 3, "(3 waiting; takes mutex 0x" },
        { "short-barrier", "PthreadBarrier", 2, "(2 of 3 have arrived)" },
        { "empty-semaphore", "PthreadSemaphore", 1, "(value 0, 1 waiting)" },
        { "static-init", "StaticInitialization", 1, "in progress; who runs it is stored nowhere" },
        { "stuck-once", "PthreadOnce", 1, "in progress; who runs it is stored nowhere" },
        { "reader-holds", "PthreadReaderWriterLock", 1, "(held by 1 reader, which it does not name)" },
    };

    [SkippableTheory]
    [MemberData(nameof(Scenes))]
    public void Wait_has_its_name_living_and_as_a_core(string scene, string kind, int threads, string words)
    {
        (JsonElement living, JsonElement core) = Look(scene);
        foreach (JsonElement report in (JsonElement[])[living, core])
        {
            JsonElement wait = Assert.Single(OpenWaits(report), w => KindOf(w) == kind);
            Assert.Equal(threads - 1, wait.TryGetProperty("others", out JsonElement others) ? others.GetArrayLength() : 0);
            Assert.Contains(words, wait.Member("text").GetString(), StringComparison.Ordinal);
            Assert.Equal(("Infinite", true), (wait.Member("timeout").GetString(), wait.Member("undecided").GetBoolean()));
            Assert.Equal("native-hang", wait.Member("lookAt").Member("module").GetString());
            Assert.Equal(threads, report.Member("waits").EnumerateArray().Count(w => KindOf(w) == kind));
        }
    }

    /// <summary>Two guards, each waited for by one thread: nothing says who is inside of an initialiser, so that there is no cycle to be told.</summary>
    [SkippableFact]
    public void Cycle_of_static_variables_is_named_and_no_verdict()
    {
        (JsonElement living, JsonElement core) = Look("static-cycle");
        foreach (JsonElement report in (JsonElement[])[living, core])
        {
            string[] guards = [.. OpenWaits(report).Where(w => KindOf(w) == "StaticInitialization").Select(w => w.Member("resource").GetRawText())];
            Assert.Equal(2, guards.Distinct().Count());
        }
    }

    /// <summary>The system tells who holds the lock of a file, and a core does not.</summary>
    [SkippableFact]
    public void Lock_of_a_file_names_the_process_that_holds_it_where_the_system_tells()
    {
        (JsonElement living, JsonElement core) = Look("locked-file");
        string text = Assert.Single(OpenWaits(living), w => KindOf(w) == "FileLock").Member("text").GetString()!;
        Assert.Contains("held by process ", text, StringComparison.Ordinal);
        Assert.Contains("native-hang", text, StringComparison.Ordinal);
        Assert.Contains("a core does not tell", Assert.Single(OpenWaits(core), w => KindOf(w) == "FileLock").Member("text").GetString(),
            StringComparison.Ordinal);
    }

    /// <summary>
    /// Locks of bytes of a file: two children hold some each, and only those in the way count; a lock of an open file names no process, and whether the process
    /// has that file open itself its descriptors tell.
    /// </summary>
    [SkippableTheory]
    [InlineData("locked-range", "an exclusive lock of bytes 50 to 60", @"held by process \d+ .native-hang.\)")]
    [InlineData("locked-open-file", "a shared lock of all bytes for the open file", "held by an open file of another process, which /proc/locks does not name")]
    [InlineData("own-locked-open-file", "a shared lock of all bytes for the open file", @"held by this process itself, by file descriptor \d+ \(")]
    public void Lock_of_a_file_tells_what_is_in_its_way(string scene, string wanted, string held)
    {
        (JsonElement living, JsonElement core) = Look(scene);
        Assert.Matches(held, Assert.Single(OpenWaits(living), w => KindOf(w) == "FileLock").Member("text").GetString());
        Assert.Contains("a core does not tell", Assert.Single(OpenWaits(core), w => KindOf(w) == "FileLock").Member("text").GetString(),
            StringComparison.Ordinal);
        foreach (JsonElement report in (JsonElement[])[living, core])
        {
            Assert.Contains($"wanted is {wanted}", report.Member("waits").GetRawText(), StringComparison.Ordinal);
        }
    }

    /// <summary>Each of two processes holds a file that the other wants. A further thread may release it; a core does not tell who holds what.</summary>
    [SkippableFact]
    public void Crossed_locks_of_files_are_a_deadlock_of_two_processes()
    {
        Skip.If(NativeLinuxLab.Unavailable is not null, NativeLinuxLab.Unavailable);
        using LiveScene running = NativeLinuxLab.Start("locked-files");
        (int ExitCode, JsonElement Report)[] looks = LiveLook.WithCore(running, _directory);
        JsonElement verdict = Assert.Single(looks[0].Report.Member("verdicts").EnumerateArray());
        Assert.Equal((12, "DUMP1002", "Suspected"), (looks[0].ExitCode, verdict.Member("id").GetString(), verdict.Member("confidence").GetString()));
        Assert.Equal(13, looks[1].ExitCode);
    }

    /// <summary>A ring to which nothing was submitted; many programs wait so when they are idle.</summary>
    [SkippableFact]
    public void Wait_for_a_ring_is_named()
    {
        (JsonElement living, JsonElement core) = Look("empty-ring", "no io_uring");
        foreach (JsonElement report in (JsonElement[])[living, core])
        {
            JsonElement wait = Assert.Single(OpenWaits(report), w => KindOf(w) == "Work");
            Assert.Equal(("Infinite", false), (wait.Member("timeout").GetString(), wait.Member("undecided").GetBoolean()));
            Assert.Contains("io_uring", wait.Member("text").GetString(), StringComparison.Ordinal);
            Assert.Equal("native-hang", wait.Member("lookAt").Member("module").GetString());
        }
    }

    [SkippableFact]
    public void System_calls_name_what_they_wait_for()
    {
        (JsonElement living, JsonElement core) = Look("calls");
        Assert.Matches(@"\(pipe:\[\d+\]; written by this process itself as well: file descriptor \d+\)",
            Assert.Single(OpenWaits(living), w => KindOf(w) == "FileDescriptor").Member("text").GetString());
        foreach (JsonElement report in (JsonElement[])[living, core])
        {
            Assert.Single(OpenWaits(report), w => KindOf(w) == "FileDescriptor");
            Assert.Single(OpenWaits(report), w => KindOf(w) == "ChildProcess");
            JsonElement sleep = Assert.Single(OpenWaits(report), w => KindOf(w) == "Time");
            Assert.Equal(("Finite", false), (sleep.Member("timeout").GetString(), sleep.Member("undecided").GetBoolean()));
            Assert.Contains("goes on by itself", sleep.Member("text").GetString(), StringComparison.Ordinal);
            JsonElement poll = Assert.Single(OpenWaits(report), w => KindOf(w) == "Work");
            Assert.Equal(("Infinite", false), (poll.Member("timeout").GetString(), poll.Member("undecided").GetBoolean()));
        }
    }

    /// <summary>A pair of sockets and a counter whose other ends the process has itself, which of a living process the system tells.</summary>
    [SkippableFact]
    public void Ends_that_the_process_has_itself_are_named()
    {
        (JsonElement living, JsonElement core) = Look("own-ends");
        string[] texts = [.. OpenWaits(living).Where(w => KindOf(w) == "FileDescriptor").Select(w => w.Member("text").GetString()!)];
        Assert.Single(texts, t => System.Text.RegularExpressions.Regex.IsMatch(
            t, @"\(socket:\[\d+\]; unix; its other end is open in this process itself: file descriptor \d+\)"));
        Assert.Single(texts, t => System.Text.RegularExpressions.Regex.IsMatch(
            t, @"\(anon_inode:\[eventfd\]; its count is 0; whoever has it may add to it, and this process has it as file descriptor \d+ too\)"));
        Assert.Equal(2, OpenWaits(core).Count(w => KindOf(w) == "FileDescriptor"));
    }

    /// <summary>A wait for any of two words names both; no function that takes a lock makes this call, whatever the memory around a word looks like.</summary>
    [SkippableFact]
    public void Wait_for_any_of_several_words_names_them()
    {
        (JsonElement living, JsonElement core) = Look("several-words", "no futex_waitv");
        foreach (JsonElement report in (JsonElement[])[living, core])
        {
            JsonElement[] waits = [.. report.Member("waits").EnumerateArray()];
            Assert.DoesNotContain(waits, w => KindOf(w) == "PthreadMutex");
            Assert.All(waits.Where(w => KindOf(w) == "Address"), w => Assert.True(w.Member("any").GetBoolean()));
            Assert.Contains(waits, w => KindOf(w) == "Address");
        }
    }

    /// <summary>
    /// A process that the bare system call made while another thread was inside of malloc. Its thread has the descriptor of the one that called, as where the
    /// memory is another process': the arena is named, and nobody as its owner.
    /// </summary>
    [SkippableFact]
    public void Lock_of_an_arena_is_named_without_an_owner()
    {
        (JsonElement living, JsonElement core) = Look("held-arena");
        foreach (JsonElement report in (JsonElement[])[living, core])
        {
            JsonElement wait = Assert.Single(OpenWaits(report), w => KindOf(w) == "MallocArena");
            Assert.Contains("held by whom it does not store", wait.Member("text").GetString(), StringComparison.Ordinal);
            Assert.Equal("native-hang", wait.Member("lookAt").Member("module").GetString());
            Assert.Empty(report.Member("ownerships").EnumerateArray());
        }
    }

    /// <summary>A runtime whose functions stand on no native stack: the report names it, and the tool that shows them, for this process.</summary>
    [SkippableFact]
    public void Other_runtime_is_named_with_its_tool()
    {
        string? python = Array.Find(["/usr/bin/python3", "/usr/local/bin/python3"], File.Exists);
        Skip.If(python is null, "needs python3");
        using Process running = Process.Start(new ProcessStartInfo(
            python, ["-c", "import threading; lock = threading.Lock(); lock.acquire(); print('ready', flush=True); lock.acquire()"]) { RedirectStandardOutput = true })!;
        try
        {
            Assert.Equal("ready", running.StandardOutput.ReadLine());
            DumpAnalyze run = DumpAnalyze.Run(["live", $"{running.Id}", "--format", "json"]);
            JsonElement missing = Assert.Single(
                JsonDocument.Parse(run.Output).RootElement.Member("missing").EnumerateArray(), m => m.Member("kind").GetString() == "CodeOfOtherRuntime");
            Assert.StartsWith("CPython 3.", missing.Member("subject").GetString(), StringComparison.Ordinal);
            Assert.Contains($" {running.Id} ", missing.Member("captureAdvice").GetString(), StringComparison.Ordinal);
            Assert.Equal(12, run.ExitCode);
        }
        finally
        {
            running.Kill();
            running.WaitForExit();
        }
    }

    /// <summary>Threads that spin execute code, and one of them may be on its way into the lock yet or have been suspected of running away.</summary>
    [SkippableFact]
    public void Spin_lock_is_named_with_those_who_spin_for_it()
    {
        const int MostLooks = 20;
        Skip.If(NativeLinuxLab.Unavailable is not null, NativeLinuxLab.Unavailable);
        using LiveScene running = NativeLinuxLab.Start("held-spin-lock", rests: false);
        for (int look = 0; look < MostLooks; look++)
        {
            (int exitCode, JsonElement report) = LiveLook.At(running, "--interval", "100ms");
            Assert.Contains(exitCode, (int[])[12, 13]);
            JsonElement[] waits = [.. report.Member("waits").EnumerateArray().Where(w => KindOf(w) == "PthreadSpinLock")];
            if (waits.Length == 2)
            {
                Assert.Single(waits.Select(w => w.Member("resource").GetRawText()).Distinct());
                Assert.All(OpenWaits(report).Where(w => KindOf(w) == "PthreadSpinLock"),
                    w => Assert.Contains("held by whom it does not store", w.Member("text").GetString(), StringComparison.Ordinal));
                return;
            }
        }

        Assert.Fail($"In {MostLooks} looks not both threads stood in the spin lock.");
    }

    /// <summary>Initialisations that are done: nobody waits for them.</summary>
    [SkippableFact]
    public void Initialised_program_waits_for_nothing_of_that_kind()
    {
        (JsonElement living, JsonElement core) = Look("initialised");
        Assert.Empty(living.Member("waits").EnumerateArray());
        Assert.Empty(core.Member("waits").EnumerateArray());
    }

    /// <summary>Two threads that hand each other a turn, a token and a place at a barrier, and two processes that lock a file in turns, all the time.</summary>
    [SkippableTheory]
    [InlineData("busy-signals")]
    [InlineData("file-turns")]
    [InlineData("busy-arena")]
    public void Busy_program_has_no_verdict(string scene)
    {
        const int Looks = 5;
        Skip.If(NativeLinuxLab.Unavailable is not null, NativeLinuxLab.Unavailable);
        using LiveScene running = NativeLinuxLab.Start(scene, rests: false);
        LiveLook.AssertStaysHealthy(running, Looks);
    }

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    /// <param name="scene">The scene.</param>
    /// <param name="lack">What it prints where this system does not let it make its hang; null for nothing.</param>
    private (JsonElement Living, JsonElement Core) Look(string scene, string? lack = null)
    {
        Skip.If(NativeLinuxLab.Unavailable is not null, NativeLinuxLab.Unavailable);
        using LiveScene running = NativeLinuxLab.Start(scene);
        Skip.If(lack is not null && running.Lines.Contains(lack), $"needs a system that permits it: {lack}");
        (int ExitCode, JsonElement Report)[] looks = LiveLook.WithCore(running, _directory);
        Assert.All(looks, l => Assert.Equal(13, l.ExitCode));
        Assert.All(looks, l => Assert.Empty(l.Report.Member("verdicts").EnumerateArray()));
        return (looks[0].Report, looks[1].Report);
    }

    private static JsonElement[] OpenWaits(JsonElement report) => [.. report.Member("openWaits").EnumerateArray()];

    private static string? KindOf(JsonElement wait) =>
        wait.TryGetProperty("resource", out JsonElement resource) ? resource.Member("kind").GetString() : null;
}
