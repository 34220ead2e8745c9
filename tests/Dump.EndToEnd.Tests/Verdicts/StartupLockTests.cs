using System.Globalization;
using System.Text.Json;
using Dump.Analysis;
using Dump.Analysis.Detection;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Readers.Minidump;
using Dump.Readers.Windows;
using Dump.Readers.Windows.Locks;
using Dump.Testing;
using Dump.Testing.Lab;
using Dump.Testing.Renaming;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>
/// The startup lock of Microsoft's C runtime: a thread spins for it in code that only symbols name, and the lock names its owner by the base of the owner's
/// stack.
/// </summary>
public sealed class StartupLockTests : IDisposable
{
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-startup-").FullName;

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    [Fact]
    public void The_lock_names_the_thread_whose_stack_begins_at_its_value()
    {
        ProcessSnapshot snapshot = Read(new StartupLockScene());
        Assert.Equal((new Resource(ResourceKind.SpinLock, StartupLockScene.Word(ofTwin: false)), Grade.Derived), Wait(snapshot));
        RenamingCheck.Run(snapshot, s => HangAnalysis.Run(s));
        Verdict verdict = Assert.Single(HangAnalysis.Run(snapshot).Verdicts);
        Assert.Equal(("DUMP1002", Confidence.Likely), (verdict.DetectorId, verdict.Confidence));
        Assert.Contains(
            "Thread 1 (0x24) waits for C runtime startup lock of plug.dll 0x180006100, most likely held by thread 0 (0x20).",
                SyntheticAnalysis.Sentences(verdict));
    }

    [Theory]
    [InlineData(0x1234_0000UL, true)] // no thread's stack begins there
    [InlineData(null, false)] // a stack that is another thread's since: it runs no code of the library
    public void A_value_that_no_thread_inside_the_library_explains_names_nobody(ulong? value, bool isInitialising)
    {
        ProcessSnapshot snapshot = Read(new StartupLockScene { Value = value, IsInitialising = isInitialising });
        Assert.Equal(Grade.Derived, Wait(snapshot).Grade);
        IsUndecided(snapshot, "the value in it fits no thread that runs code of that image");
    }

    /// <summary>A thread that ended inside the initialiser may have had the stack before, with the lock: a cycle through it is no deadlock.</summary>
    [Theory]
    [InlineData]
    [InlineData("LdrShutdownThread")]
    [InlineData("LdrGetDllHandle")]
    public void Ordinary_code_of_the_library_makes_a_suspicion_that_says_what_is_missing(params string[] loader)
    {
        ProcessSnapshot snapshot = Read(new StartupLockScene { Loader = loader });
        Assert.Equal(Grade.Suspected, Assert.Single(snapshot.Ownerships, o => o.Resource.Kind == ResourceKind.SpinLock).Grade);
        AnalysisResult result = HangAnalysis.Run(snapshot);
        Assert.DoesNotContain(result.Verdicts, v => v.Confidence > Confidence.Suspected);
        Assert.Contains("runs code of plug.dll, but not seen to be its start code", Missing(result).What, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(null, "LdrUnloadDll", Grade.Derived)]
    [InlineData(null, "LdrInitializeThunk", Grade.Derived)]
    [InlineData(null, "LdrShutdownProcess", Grade.Derived)]
    [InlineData("__scrt_common_main_seh", null, Grade.Derived)]
    [InlineData("wWinMainCRTStartup", null, Grade.Derived)]
    [InlineData("main", null, Grade.Suspected)]
    public void Start_code_is_what_the_loader_calls_or_a_programs_entry(string? entry, string? loader, Grade expected)
    {
        ProcessSnapshot snapshot = Read(new StartupLockScene { Entry = entry, Loader = loader is null ? [] : [loader] });
        Assert.Equal(expected, Assert.Single(snapshot.Ownerships, o => o.Resource.Kind == ResourceKind.SpinLock).Grade);
    }

    [Fact]
    public void Without_the_owners_thread_block_a_fuller_dump_is_asked_for()
    {
        ProcessSnapshot snapshot = Read(new StartupLockScene { HasBlocks = (false, true) });
        IsUndecided(snapshot, "thread blocks, which have these bases, are not in the dump");
        Assert.Equal(CaptureKind.FullDump, Missing(HangAnalysis.Run(snapshot)).Capture);
        Assert.Equal(Grade.Derived, Wait(snapshot).Grade);
    }

    [Fact]
    public void Without_its_own_thread_block_a_thread_may_have_the_lock_already() =>
        Assert.Equal(Grade.Suspected, Wait(Read(new StartupLockScene { HasBlocks = (true, false) })).Grade);

    [Fact]
    public void What_is_missing_is_said_once_for_all_that_spin()
    {
        ProcessSnapshot snapshot = Read(new StartupLockScene { Value = 0x1234_0000, Spinners = 3 });
        Assert.Equal(3, snapshot.Waits.Count(w => w.Resource.Kind == ResourceKind.SpinLock));
        Assert.Single(snapshot.Missing, IsStartupLock);
    }

    /// <summary>The option is one of .NET's SpinLock.</summary>
    [Fact]
    public void Nobody_is_told_to_make_the_lock_with_another_option() => Assert.DoesNotContain(
        HangAnalysis.Run(Read(new StartupLockScene { Value = 0x1234_0000 })).Outcomes.SelectMany(o => o.Missing), m =>
            m.What.Contains("enableThreadOwnerTracking", StringComparison.Ordinal));

    /// <summary>Who burns time in the lock explains why others wait for what he holds meanwhile, whether or not the lock's owner is known.</summary>
    [Fact]
    public void A_hang_behind_the_spinning_thread_is_one_verdict()
    {
        ProcessSnapshot snapshot = Read(new StartupLockScene { ProcessorSeconds = 90, IsEntering = false, Spinners = 2 });
        Resource section = new(ResourceKind.CriticalSection, 0x1_4000_0000);
        Evidence[] evidence = [new(EvidenceSource.Memory, "by hand")];
        ProcessSnapshot behind = snapshot with
        {
            Waits = [.. snapshot.Waits.Where(w => w.ThreadId != StartupLockScene.Spinning + 4),
                new WaitFact(StartupLockScene.Spinning + 4, section, WaitTimeout.Infinite, Grade.Proven, [.. evidence])],
            Ownerships = [.. snapshot.Ownerships, new OwnershipFact(section, StartupLockScene.Spinning, true, 1, Grade.Proven, [.. evidence])],
        };
        Verdict verdict = Assert.Single(HangAnalysis.Run(behind).Verdicts);
        Assert.Equal("DUMP2001", verdict.DetectorId);
    }

    [Fact]
    public void Without_the_locks_symbol_the_owner_is_unknown_and_nobody_is_guessed()
    {
        ProcessSnapshot snapshot = Read(new StartupLockScene { HasWordSymbol = false });
        Assert.Equal((new Resource(ResourceKind.SpinLock, 0, StartupLockScene.Spinning), Grade.Suspected), Wait(snapshot));
        IsUndecided(snapshot, "no symbol tells where __scrt_native_startup_lock is");
    }

    /// <summary>
    /// A library's spin lock of unknown make is said to be held by the only blocked thread inside the library; this one's make is known, and only its word
    /// tells.
    /// </summary>
    [Fact]
    public void No_heuristic_names_an_owner_that_the_lock_does_not()
    {
        AnalysisContext context = new(Read(new StartupLockScene { HasWordSymbol = false, ProcessorSeconds = 90 }));
        Assert.NotNull(context.Spins.Of(StartupLockScene.Spinning));
        Assert.Single(context.Graph.WaitsOf(StartupLockScene.Spinning));
        Assert.Empty(context.Graph.From(StartupLockScene.Spinning));
    }

    [Fact]
    public void A_thread_that_burns_its_time_in_the_lock_says_for_whom()
    {
        Verdict verdict = HangAnalysis.Run(Read(new StartupLockScene { ProcessorSeconds = 90, IsEntering = false }))
            .Verdicts.Single(v => v.DetectorId == "DUMP2002");
        Assert.Equal(Confidence.Suspected, verdict.Confidence);
        Assert.Equal([StartupLockScene.Spinning], verdict.Threads.ToArray());
        Assert.Equal([StartupLockScene.Spinning, StartupLockScene.Loading], verdict.Stacks.Select(s => s.ThreadId).ToArray());
        string[] sentences = SyntheticAnalysis.Sentences(verdict);
        Assert.Equal("Thread 1 (0x24) waits for C runtime startup lock of plug.dll 0x180006100, most likely held by thread 0 (0x20).", sentences[1]);
        Assert.Equal("Thread 0 (0x20) sleeps (time limit unknown).", sentences[2]);
    }

    [Theory]
    [InlineData(0UL)]
    [InlineData(0x1001_8000UL)] // the base of its own stack: it has the lock already
    public void A_thread_that_is_about_to_return_with_the_lock_waits_for_nobody(ulong value)
    {
        Assert.Equal(0x1001_8000UL, StartupLockScene.StackBase(1));
        ProcessSnapshot snapshot = Read(new StartupLockScene { Value = value });
        Assert.DoesNotContain(snapshot.Waits, w => w.ThreadId == StartupLockScene.Spinning);

        // It runs while another thread waits for what it holds: a suspicion, as of any thread that does.
        Assert.All(HangAnalysis.Run(snapshot).Verdicts, v => Assert.Equal(("DUMP2001", Confidence.Suspected), (v.DetectorId, v.Confidence)));
    }

    /// <summary>
    /// Two libraries of one name: the first one's lock is free, and the value in the other one's is the base of the stack of a thread that is not inside that
    /// library.
    /// </summary>
    [Fact]
    public void Each_image_has_a_lock_of_its_own()
    {
        ProcessSnapshot snapshot = Read(new StartupLockScene { SpinsInTwin = true });
        Assert.Equal(StartupLockScene.Word(ofTwin: true), Wait(snapshot).Resource.Identity);
        Assert.DoesNotContain(snapshot.Ownerships, o => o.Resource.Kind == ResourceKind.SpinLock);
    }

    [Fact]
    public void A_function_of_another_name_is_no_such_wait() =>
        Assert.Empty(Read(new StartupLockScene { Function = "__scrt_acquire_startup_lock_later" }).Waits.Where(w => w.ThreadId == StartupLockScene.Spinning));

    [SkippableTheory]
    [InlineData("", "loading")]
    [InlineData("--event", "loading")]
    [InlineData("--stranger", null)]
    public void A_real_thread_spins_for_the_lock_that_a_real_initialiser_holds(string option, string? owner)
    {
        (LabDump dump, _, JsonElement report) = Analyse(option);
        string address = string.Create(CultureInfo.InvariantCulture, $"0x{dump.Addresses["lock"]:x}");
        JsonElement wait = report.Member("waits").EnumerateArray().Single(w => w.Member("thread").GetUInt32() == dump.Thread("entering"));
        Assert.Equal(("SpinLock", address), (wait.Member("resource").Member("kind").GetString(), wait.Member("resource").Member("identity")
            .GetString()));
        uint[] owners =
        [
            .. report.Member("ownerships").EnumerateArray().Where(o => o.Member("resource").Member("kind").GetString() == "SpinLock")
                .Select(o => o.Member("owner").GetUInt32()),
        ];
        Assert.Equal(owner is null ? [] : [dump.Thread(owner)], owners);
    }

    [SkippableFact]
    public void A_real_initialiser_that_waits_for_the_spinning_thread_is_a_deadlock()
    {
        (_, int exitCode, JsonElement report) = Analyse("");
        VerdictAssert.Is("DUMP1002", exitCode, report);
        Assert.Equal(11, exitCode);
    }

    [SkippableFact]
    public void A_real_initialiser_that_has_ended_holds_nobody_up()
    {
        (_, int exitCode, JsonElement report) = Analyse("--healthy");
        VerdictAssert.Is(null, exitCode, report);
    }

    private static (LabDump Dump, int ExitCode, JsonElement Report) Analyse(string option)
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        LabDump dump = WineLab.Shared.Dump("startup-lock", DumpKind.Full, option.Length == 0 ? [] : [option]);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.Path, "--symbols", WineLab.SampleDirectory);
        return (dump, exitCode, report);
    }

    private static bool IsStartupLock(MissingData missing) => missing is { Kind: MissingKind.StartupLockOwner, Subject: "plug.dll" };

    private static MissingData Missing(AnalysisResult result) => Assert.Single(result.Outcomes.Single(o => o.DetectorId == "DUMP9001").Missing, IsStartupLock);

    private static void IsUndecided(ProcessSnapshot snapshot, string why)
    {
        Assert.DoesNotContain(snapshot.Ownerships, o => o.Resource.Kind == ResourceKind.SpinLock);
        AnalysisResult result = HangAnalysis.Run(snapshot);
        Assert.True(SyntheticAnalysis.IsUndecidable(result));
        Assert.Contains(result.Outcomes.Single(o => o.DetectorId == "DUMP9001").Missing, m => m.What.Contains(why, StringComparison.Ordinal));
    }

    private static (Resource Resource, Grade Grade) Wait(ProcessSnapshot snapshot)
    {
        WaitFact wait = Assert.Single(snapshot.Waits, w => w.ThreadId == StartupLockScene.Spinning);
        return (wait.Resource, wait.Grade);
    }

    private ProcessSnapshot Read(StartupLockScene scene)
    {
        FakeProcess process = scene.Build();
        File.WriteAllBytes(Path.Combine(_directory, "plug.pdb"), scene.Pdb.ToArray());
        using MinidumpFile dump = MinidumpFile.FromBytes(process.ToMinidump());
        ProcessSnapshot snapshot = WindowsSnapshotReader.Read(dump, "synthetic", new WindowsReadOptions { SymbolPath = _directory });
        Assert.Empty(snapshot.Problems);
        return snapshot;
    }
}
