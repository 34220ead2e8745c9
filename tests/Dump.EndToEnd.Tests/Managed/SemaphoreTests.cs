using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>Semaphores that nobody releases, told apart from those that somebody may release.</summary>
[SupportedOSPlatform("linux")]
public sealed class SemaphoreTests : IDisposable
{
    private const string SceneType = "Dump.Samples.Managed.Scenes.SemaphoreScenes.";
    private readonly LinuxLab _lab = new();

    /// <summary>Scene and expected verdict or null.</summary>
    public static TheoryData<string, string?> Scenes => new()
    {
        { "semaphore-leaked", "DUMP5001 Suspected" },
        { "semaphore-shared", "DUMP9001" },
        { "semaphore-requests", "DUMP9001" },
        { "semaphore-busy", null },
        { "semaphore-consumers", null },
        { "semaphore-reentered", "DUMP1002 Suspected" },
        { "semaphore-held", null },
        { "semaphore-crossed", "DUMP1002 Suspected" },
        { "semaphore-chain", null },
    };

    /// <summary>Scene and verdict on other runtimes.</summary>
    public static TheoryData<string, string, string?> ScenesOnOthers => SceneVerdicts.On(Scenes, "8.0.0", "9.0.18");

    [SkippableFact]
    public void Semaphore_that_only_its_waiters_have_is_suspected_and_names_no_owner()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.StartWarm("semaphore-leaked");
        JsonElement verdict = SceneVerdicts.CheckCore(_lab, running, "semaphore-leaked", "DUMP5001 Suspected").Member("verdicts")[0];
        Assert.Equal([$"{SceneType}RunJobAsync"], verdict.Member("asyncMethods").EnumerateArray().Select(m => m.GetString()));
        Assert.StartsWith("3 async methods wait for SemaphoreSlim", verdict.Member("claims")[0].Member("text").GetString(), StringComparison.Ordinal);
        Assert.Empty(verdict.Member("chain").EnumerateArray());
        SceneVerdicts.CheckLiving(running, "DUMP5001 Suspected");
    }

    [SkippableTheory]
    [InlineData("semaphore-busy")]
    [InlineData("semaphore-chain")]
    public void Semaphore_that_somebody_else_may_release_is_no_hang(string scene)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.StartWarm(scene);
        SceneVerdicts.CheckCore(_lab, running, scene, null);
        SceneVerdicts.CheckLiving(running, null);
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("semaphore-held")]
    [InlineData("semaphore-consumers")]
    public void Further_semaphore_that_somebody_else_may_release_is_no_hang(string scene) => Semaphore_that_somebody_else_may_release_is_no_hang(scene);

    /// <summary>Optimised or not, its methods say who holds it.</summary>
    [SkippableTheory]
    [InlineData("semaphore-reentered", "Semaphore taken again by the call that holds it", "Store.AddAsync", "Store.TotalAsync")]
    [InlineData("semaphore-crossed", "Deadlock of async methods over semaphores", "Store.MoveAsync", "Store.TotalAsync")]
    public void Flow_that_waits_for_what_it_holds_is_a_deadlock(string scene, string title, string holder, string waiter)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.StartWarm(scene);
        JsonElement verdict = SceneVerdicts.CheckCore(_lab, running, scene, "DUMP1002 Suspected").Member("verdicts")[0];
        Assert.Equal(title, verdict.Member("title").GetString());
        Assert.Equal([SceneType + holder, SceneType + waiter], verdict.Member("asyncMethods").EnumerateArray().Select(m => m.GetString()));
        SceneVerdicts.CheckLiving(running, "DUMP1002 Suspected");
    }

    /// <summary>Three jobs wait for what one has left entered. A list refers to it too, which is nobody who is seen to hold it.</summary>
    [SkippableFact]
    public void Semaphore_that_nobody_is_seen_to_hold_leaves_the_answer_open()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.StartWarm("semaphore-shared");
        JsonElement report = SceneVerdicts.CheckCore(_lab, running, "semaphore-shared", "DUMP9001");
        JsonElement wait = Assert.Single(report.Member("openWaits").EnumerateArray(), w => w.Member("undecided").GetBoolean());
        Assert.Matches($@"^3 calls of {SceneType}RunJobAsync .* No call is seen to hold it\.$", wait.Member("text").GetString());
    }

    [SkippableFact]
    public void Many_requests_at_one_semaphore_leave_the_answer_open_and_are_told()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.StartWarm("semaphore-requests");
        JsonElement report = SceneVerdicts.CheckCore(_lab, running, "semaphore-requests", "DUMP9001");
        JsonElement wait = Assert.Single(report.Member("openWaits").EnumerateArray(), w => w.Member("undecided").GetBoolean());
        Assert.Equal(JsonValueKind.Null, wait.Member("thread").ValueKind);
        Assert.Matches(
            $"^199 async methods wait for SemaphoreSlim 0x[0-9a-f]+ \\(count 0\\), without a time limit or a cancellation token. Look at {SceneType}Store.ReadAsync \\w+\\.cs:~?\\d+ \\(199\\).$",
            wait.Member("text").GetString());
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(ScenesOnOthers))]
    public void Other_runtimes_are_read_alike(string version, string scene, string? expected) => SceneVerdicts.CheckCoreOf(_lab, version, scene, expected);

    public void Dispose() => _lab.Dispose();
}
