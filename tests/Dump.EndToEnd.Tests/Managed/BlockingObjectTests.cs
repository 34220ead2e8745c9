using System.Globalization;
using System.Runtime.Versioning;
using System.Text.Json;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>
/// Three sources of who waits for which monitor agree: the frames with the sync blocks, the runtime's debugging library, and the sample itself, which says
/// which thread has which role.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class BlockingObjectTests : IDisposable
{
    private readonly LinuxLab _lab = new();

    public static TheoryData<string, string, int> Scenes => new()
    {
        { "3.1.3", "monitor-unrelated", 4 },
        { "3.1.3", "lazy-cycle", 2 },
        { "8.0.0", "monitor-unrelated", 4 },
        { "8.0.0", "monitor-nested", 3 },
        { "9.0.18", "monitor-unrelated-and-cycle", 6 },
        { RuntimeCores.Installed, "monitor-unrelated", 4 },
        { RuntimeCores.Installed, "monitor-many-locks", 7 },
        { RuntimeCores.Installed, "monitor-synchronized", 2 },
    };

    [SkippableTheory]
    [MemberData(nameof(Scenes))]
    public void Frames_and_debugging_library_name_the_same_monitors_and_owners(string version, string scene, int monitors)
    {
        LabDump dump = RuntimeCores.Make(_lab, version, scene);
        JsonElement[] waits = [.. LockChains.Of(dump, "--dac", PrivateRuntimes.Shared.Frameworks).Select(c => c.Member("chain"))
            .Where(c => c.GetArrayLength() > 0).Select(c => c[0]).Where(IsMonitor)];
        Assert.Equal(monitors, waits.Select(w => w.Member("resource").Member("identity").GetString()).Distinct().Count());
        foreach (JsonElement wait in waits)
        {
            string identity = wait.Member("resource").Member("identity").GetString()!;
            Assert.Equal(identity, Evidence(wait, "first object that the frames").Member("address").GetString());
            Assert.Equal(identity, Evidence(wait, "ICorDebugThread4.GetBlockingObjects").Member("address").GetString());
            string owner = Evidence(wait, "ICorDebugHeapValue3.GetThreadOwningMonitorLock").Member("value").GetString()!;
            Assert.Equal(wait.Member("holder").GetUInt32(), uint.Parse(owner.AsSpan(2), NumberStyles.HexNumber, CultureInfo.InvariantCulture));
            Assert.Equal("Proven", wait.Member("grade").GetString());
        }
    }

    /// <summary>Up to .NET 9 no frame refers to the monitor of the type whose static synchronized method is entered.</summary>
    [SkippableFact]
    public void Monitor_of_a_type_is_known_from_the_debugging_library_alone()
    {
        JsonElement wait = WaitingThreads.Of(RuntimeCores.Make(_lab, "8.0.0", "monitor-synchronized"), "--dac",
            PrivateRuntimes.Shared.Frameworks)["instance-then-type"];
        Assert.EndsWith("'typeof(Dump.Samples.Managed.Scenes.MonitorScenes+SynchronizedLedger)'", wait.Member("text").GetString(),
            StringComparison.Ordinal);
        Assert.DoesNotContain(wait.Member("evidence").EnumerateArray(), e => e.Member("text")
            .GetString()!.StartsWith("first object", StringComparison.Ordinal));
        Evidence(wait, "ICorDebugThread4.GetBlockingObjects");
    }

    [SkippableTheory]
    [InlineData("9.0.18")]
    [InlineData("installed")]
    public void Lock_objects_are_confirmed_by_the_thread_s_own_record(string version)
    {
        IReadOnlyDictionary<string, JsonElement> waits = WaitingThreads.Of(
            RuntimeCores.Make(_lab, version == "installed" ? RuntimeCores.Installed : version, "lock-cycle"), "--dac", PrivateRuntimes.Shared.Frameworks);
        Assert.Equal(2, waits.Count);
        Assert.All(waits.Values, w => Evidence(w, "ThreadBlockingInfo.t_first"));
    }

    /// <summary>Every waiter of a queue behind the owner whose number it has, in whatever order they came.</summary>
    [SkippableTheory]
    [InlineData("8.0.0")]
    [InlineData("9.0.18")]
    public void Waiters_of_unrelated_locks_stand_behind_their_own_owners(string version)
    {
        LabDump dump = RuntimeCores.Make(_lab, version, "monitor-unrelated");
        JsonElement[] chains = LockChains.Of(dump, "--dac", PrivateRuntimes.Shared.Frameworks);
        foreach ((string role, IReadOnlyList<uint> ids) in dump.Threads.Where(t => t.Key.StartsWith("waiter-", StringComparison.Ordinal)))
        {
            uint owner = dump.Thread(role.Replace("waiter", "owner", StringComparison.Ordinal));
            Assert.All(ids, id => Assert.Equal(owner, chains.Single(c => c.Member("thread").GetUInt32() == id).Member("chain")[0]
                .Member("holder").GetUInt32()));
        }
    }

    public void Dispose() => _lab.Dispose();

    private static bool IsMonitor(JsonElement link) => link.Member("resource").Member("kind").GetString() == "Monitor";

    private static JsonElement Evidence(JsonElement link, string start) =>
        link.Member("evidence").EnumerateArray().Single(e => e.Member("text").GetString()!.StartsWith(start, StringComparison.Ordinal));
}
