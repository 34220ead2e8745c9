using System.Runtime.Versioning;
using Dump.Testing;
using Dump.Testing.Lab;
using Dump.Testing.Triage;

namespace Dump.Benchmarks.Triage;

/// <summary>
/// Fresh dumps of real processes for a generated folder: cores of .NET scenes (85 MB each, twice in the folder) and full Windows dumps made under Wine (30 MB
/// each).
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class LargeSeeds : IDisposable
{
    private static readonly (string Scene, string? Verdict)[] s_scenes =
    [
        ("monitor-cycle2", "DUMP1002"), ("monitor-cycle3", "DUMP1002"), ("lock-cycle", "DUMP1002"), ("rwlock-cycle", "DUMP1002"),
            ("task-wait-cycle", "DUMP1002"), ("mixed-cycle", "DUMP1002"),
        ("monitor-orphan", "DUMP1003"), ("monitor-head-blocker", "DUMP1005"), ("sync-over-async-context", "DUMP1006"), ("pool-starvation", "DUMP1007"),
        ("dictionary-cycle", "DUMP3001"), ("dictionary-race", "DUMP3002"),
        ("idle", null), ("monitor-slow-owner", null), ("rwlock-readers", null), ("collections-sound", null), ("waits-timed", null),
    ];

    private static readonly (string Sample, string[] Options, string? Verdict)[] s_samples =
    [
        ("loader-exit", [], "DUMP1001"), ("loader-exit", ["--healthy"], null), ("loader-attach", ["--spin"], "DUMP1001"), ("join-section", [], "DUMP1002"),
            ("init-once", [], "DUMP1002"),
        ("init-once", ["--slow"], null), ("heap-lock", [], "DUMP1005"), ("process-exit", [], "DUMP1003"),
    ];

    private readonly LinuxLab _lab = new();

    /// <summary>Makes them.</summary>
    /// <param name="folder">Where Windows dumps go.</param>
    /// <param name="scenes">Most .NET scenes.</param>
    /// <param name="notes">Takes what could not be had.</param>
    public LargeSeeds(string folder, int scenes, Action<string> notes)
    {
        List<DumpSeed> cores = [], all = [];
        if (LinuxLab.Unavailable is { } reason)
        {
            notes($"no .NET cores: {reason}");
        }
        else
        {
            Workspace.Run(Repository.Root, "dotnet", "build", "samples/managed/managed-hang.csproj", "-c", "Release", "-v", "quiet");
            cores.AddRange(s_scenes.Take(scenes).Select(s => new DumpSeed(s.Scene, _lab.Dump(s.Scene).Path, s.Verdict ?? DumpSeed.NoVerdict)));
        }

        all.AddRange(cores);
        if (WineLab.Shared.Unavailable is { } missing)
        {
            notes($"no full Windows dumps: {missing}");
        }
        else
        {
            all.AddRange(s_samples.Select((s, i) => new DumpSeed(
                string.Join(' ', [s.Sample, .. s.Options]),
                WineLab.Shared.DumpTo(Path.Combine(folder, $"sample-{i}.dmp"), s.Sample, DumpKind.Full, s.Options).Path,
                s.Verdict ?? DumpSeed.NoVerdict)));
        }

        (Cores, All) = (cores, all);
    }

    /// <summary>The cores.</summary>
    public IReadOnlyList<DumpSeed> Cores { get; }

    /// <summary>The cores and the Windows dumps.</summary>
    public IReadOnlyList<DumpSeed> All { get; }

    /// <summary>Removes the cores; further names of them stay.</summary>
    public void Dispose() => _lab.Dispose();
}
