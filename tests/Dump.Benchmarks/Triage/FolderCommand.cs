using System.Globalization;
using System.Runtime.Versioning;
using Dump.Benchmarks.Scenarios;
using Dump.Testing.Triage;

namespace Dump.Benchmarks.Triage;

/// <summary>Makes a folder of dumps to try triage on, and says what is in it.</summary>
[SupportedOSPlatform("linux")]
internal static class FolderCommand
{
    private const int DumpsForAScene = 50;

    /// <summary>Makes it.</summary>
    /// <param name="folder">Where; must not exist.</param>
    /// <param name="count">How many dumps.</param>
    /// <param name="notes">Takes what could not be had, and a line of figures.</param>
    /// <returns>What is in it.</returns>
    public static IReadOnlyList<FolderDump> Make(string folder, int count, Action<string> notes)
    {
        if (Directory.Exists(folder))
        {
            throw new ScenarioUnavailableException($"{folder} exists already");
        }

        string samples = Directory.CreateTempSubdirectory("dump-seeds-").FullName;
        try
        {
            using LargeSeeds large = new(samples, count / DumpsForAScene, notes);
            IReadOnlyList<FolderDump> dumps = DumpFolder.Make(folder, count, [.. DumpSeed.Fixtures, .. DumpSeed.Corpus], large.All);
            notes(Describe(folder, dumps));
            return dumps;
        }
        finally
        {
            Directory.Delete(samples, recursive: true);
        }
    }

    private static string Describe(string folder, IReadOnlyList<FolderDump> dumps)
    {
        int Count(Func<FolderDump, bool> condition) => dumps.Count(condition);
        long bytes = dumps.DistinctBy(d => d.Content).Sum(d => new FileInfo(Path.Combine(folder, d.Path)).Length);
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{dumps.Count:N0} dumps: {Count(d => d.Kind == FolderDumpKind.Whole)} whole ones ({Count(d => d.Seed.IsCore && d.Kind == FolderDumpKind.Whole)} cores of .NET processes), {Count(d => d.Kind == FolderDumpKind.Copy)} copies, {Count(d => d.Kind == FolderDumpKind.Cut)} cut, {Count(d => d.Kind == FolderDumpKind.Damaged)} damaged; {Count(d => d.Member is not null)} in archives; {bytes / 1e9:0.0} GB on disk");
    }
}
