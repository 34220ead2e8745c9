using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>
/// Owners, waiters and threads are those that Microsoft's SOS of .NET Core 2.0 shows in Microsoft's debugger engine: a second reader that shares no code with
/// this program or ClrMD.
/// </summary>
public sealed partial class SosOracleTests : IDisposable
{
    private const string Version = "2.0.0";
    private readonly ManagedWineLab _lab = new();

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("monitor-cycle2")]
    [InlineData("monitor-slow-owner")]
    public void Monitors_and_threads_are_those_of_SOS(string scene)
    {
        Skip.If(ManagedWineLab.Unavailable is not null, ManagedWineLab.Unavailable);
        (string? runtime, string? unavailable) = ManagedWineLab.Runtime(Version);
        Skip.If(unavailable is not null, unavailable);
        LabDump dump = _lab.Dump(Version, scene);
        string sos = WineLab.Shared.RunDebugger(dump.Path, $".load {WineLab.WindowsPath(Path.Combine(runtime!, "sos.dll"))}", "!syncblk", "!threads");
        JsonElement report = Threads(dump, runtime!);

        // MonitorHeld counts 1 for the owner and 2 for each waiter (coreclr, src/vm/syncblk.h, AwareLock::m_MonitorHeld).
        var held = SyncBlocks().Matches(sos).Select(m => (
            Object: Number(m, "object"), Owner: (uint)Number(m, "owner"), Waiters: (int.Parse(m.Groups["held"].Value, CultureInfo.InvariantCulture) - 1) / 2));
        Assert.NotEmpty(held);
        Assert.Equal(held.Where(h => h.Waiters > 0).Order(), Monitors(report).Order());

        var managed = ThreadRows().Matches(sos).Select(m => ((uint)Number(m, "os"), int.Parse(m.Groups["id"].Value, CultureInfo.InvariantCulture)));
        Assert.True(managed.Count() >= 3, sos);
        Assert.Equal(managed.Order(), ManagedThreads(report).Order());
    }

    public void Dispose() => _lab.Dispose();

    private static JsonElement Threads(LabDump dump, string runtime)
    {
        DumpAnalyze run = DumpAnalyze.RunIn([("WINEPREFIX", WineLab.Prefix)], "threads", dump.Path, "--format", "json", "--wine", ManagedWineLab.Program,
            "--dac", runtime);
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        return JsonDocument.Parse(run.Output).RootElement;
    }

    /// <summary>Monitors that are waited for: object, owner, number of waiters.</summary>
    private static IEnumerable<(ulong Object, uint Owner, int Waiters)> Monitors(JsonElement report)
    {
        ILookup<ulong, JsonElement> waits = ByMonitor(report, "waits");
        return ByMonitor(report, "ownerships").Select(g => (g.Key, Assert.Single(g).Member("owner").GetUInt32(), waits[g.Key].Count()));
    }

    private static ILookup<ulong, JsonElement> ByMonitor(JsonElement report, string facts) =>
        report.Member(facts).EnumerateArray()
            .Where(f => f.Member("resource").Member("kind").GetString() == "Monitor")
            .ToLookup(f => ulong.Parse(f.Member("resource").Member("identity").GetString()!.AsSpan(2), NumberStyles.HexNumber,
                CultureInfo.InvariantCulture));

    private static IEnumerable<(uint Id, int ManagedId)> ManagedThreads(JsonElement report) =>
        report.Member("threads").EnumerateArray()
            .Where(t => t.Member("managedId").ValueKind == JsonValueKind.Number)
            .Select(t => (t.Member("id").GetUInt32(), t.Member("managedId").GetInt32()));

    private static ulong Number(Match match, string group) => ulong.Parse(match.Groups[group].Value, NumberStyles.HexNumber, CultureInfo.InvariantCulture);

    // Index SyncBlock MonitorHeld Recursion ThreadObject OSThread DebuggerThread Object Type
    [GeneratedRegex(@"^ +\d+ [0-9a-f]{16} +(?<held>\d+) +\d+ [0-9a-f]{16} (?<owner>[0-9a-f]+) +\d+ +(?<object>[0-9a-f]{16}) ", RegexOptions.Multiline)]
    private static partial Regex SyncBlocks();

    // DebuggerThread ManagedId OSThread ThreadObject State ...
    [GeneratedRegex(@"^ +\d+ +(?<id>\d+) +(?<os>[0-9a-f]+) [0-9a-f]{16} +[0-9a-f]+ (Preemptive|Cooperative) ", RegexOptions.Multiline)]
    private static partial Regex ThreadRows();
}
