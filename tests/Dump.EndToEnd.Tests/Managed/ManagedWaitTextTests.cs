using System.Runtime.Versioning;
using System.Text.Json;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>Waits without an owner are named as those who wrote them know them, with state and time limit, on every runtime.</summary>
[SupportedOSPlatform("linux")]
public sealed class ManagedWaitTextTests : IDisposable
{
    private readonly LinuxLab _lab = new();

    /// <summary>The oldest runtime and the newest.</summary>
    public static TheoryData<string> Runtimes => ["3.1.3", RuntimeCores.Installed];

    /// <summary>Those in between, which keep these objects as one of the others does.</summary>
    public static TheoryData<string> FurtherRuntimes => ["8.0.0", "9.0.18"];

    [SkippableTheory]
    [MemberData(nameof(Runtimes))]
    public void Signals_are_named_with_their_state(string version)
    {
        IReadOnlyDictionary<string, JsonElement> waits = Waits(version, "waits");
        Assert.Matches(@"^SemaphoreSlim 0x[0-9a-f]+ \(0 free, 2 waiting\)$", Text(waits, "semaphore-1"));
        Assert.Equal(Text(waits, "semaphore-1"), Text(waits, "semaphore-2"));
        Assert.Matches(@"^ManualResetEventSlim 0x[0-9a-f]+ \(not set, 1 waiting\)$", Text(waits, "gate"));
        Assert.Matches(@"^CountdownEvent 0x[0-9a-f]+ \(3 of 3 signals missing\)$", Text(waits, "countdown"));
        Assert.Matches(@"^Barrier 0x[0-9a-f]+ \(1 of 4 participants have arrived\)$", Text(waits, "barrier"));
        Assert.Matches(@"^BlockingCollection<Int32> 0x[0-9a-f]+ \(empty\)$", Text(waits, "consumer"));
        Assert.Equal(Text(waits, "consumer"), Text(waits, "loop"));
        Assert.Matches(@"^BlockingCollection<Int32> 0x[0-9a-f]+ \(full: 1 of 1 items\)$", Text(waits, "producer"));
        Assert.Matches(@"^any of 2 tasks \(Task.WaitAny\) 0x[0-9a-f]+$", Text(waits, "any-task"));
        Assert.Matches(@"^a pulse \(Monitor.Wait\) of Object 0x[0-9a-f]+$", Text(waits, "condition"));
        Assert.EndsWith(".WaitScenes.LoadAsync'", Text(waits, "one-task"), StringComparison.Ordinal);
        Assert.StartsWith("task 0x", Text(waits, "all-tasks"), StringComparison.Ordinal);
        Assert.All(waits.Values, w => Assert.Equal("Infinite", w.Member("timeout").GetString()));
    }

    [SkippableTheory]
    [MemberData(nameof(Runtimes))]
    public void Handles_are_named_by_their_managed_objects(string version)
    {
        IReadOnlyDictionary<string, JsonElement> waits = Waits(version, "wait-handles");
        Assert.StartsWith("AutoResetEvent 0x", Text(waits, "auto"), StringComparison.Ordinal);
        Assert.StartsWith("ManualResetEvent 0x", Text(waits, "manual"), StringComparison.Ordinal);
        Assert.StartsWith("Semaphore 0x", Text(waits, "semaphore"), StringComparison.Ordinal);
        Assert.StartsWith("2 wait handles 0x", Text(waits, "any"), StringComparison.Ordinal);
    }

    [SkippableTheory]
    [InlineData("3.1.3")]
    [InlineData("8.0.0")]
    public void Waits_with_a_time_limit_have_one(string version)
    {
        IReadOnlyDictionary<string, JsonElement> waits = Waits(version, "waits-timed");
        Assert.Equal(["condition", "countdown", "event", "gate", "monitor", "owner", "semaphore", "task"], waits.Keys.Order(StringComparer.Ordinal));

        // The owner of the gate and of the monitor sleeps without end.
        Assert.All(waits, w => Assert.Equal(w.Key == "owner" ? "Infinite" : "Finite", w.Value.Member("timeout").GetString()));
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(FurtherRuntimes))]
    public void The_same_holds_on_further_runtimes(string version)
    {
        Signals_are_named_with_their_state(version);
        Handles_are_named_by_their_managed_objects(version);
    }

    public void Dispose() => _lab.Dispose();

    private IReadOnlyDictionary<string, JsonElement> Waits(string version, string scene) =>
        WaitingThreads.Of(RuntimeCores.Make(_lab, version, scene), "--dac", PrivateRuntimes.Shared.Frameworks);

    private static string Text(IReadOnlyDictionary<string, JsonElement> waits, string role) => waits[role].Member("text").GetString()!;
}
