using System.CommandLine;
using Dump.Analysis.Looks;
using Dump.Cli.Options;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Triage.Discovery;

namespace Dump.Cli.Running;

/// <summary>Opens several dumps of one process and puts them in the order of their capture.</summary>
internal static class SeriesLoader
{
    /// <summary>All dumps that the user named; null, with an error printed, where they are not of one process.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="options">Options of reading dumps; the first dump stands in them.</param>
    /// <param name="further">All others.</param>
    /// <param name="cancellation">Ends the reading.</param>
    /// <param name="questions">What to look for in the managed half besides; null for nothing.</param>
    public static SnapshotSeries? Load(
        ParseResult parsed, DumpOptions options, string[] further, CancellationToken cancellation, ManagedQuestions? questions = null)
    {
        string[] paths = [parsed.GetRequiredValue(options.File), .. further];
        if (Twice(paths) is { } same)
        {
            // No time lies between a dump and itself: everything in it would seem to have stood still.
            Console.Error.WriteLine($"dumpanalyze: {SafeText.Clean(same.Second)} is the same dump as {SafeText.Clean(same.First)}; give one of a later moment");
            return null;
        }

        (string Path, ProcessSnapshot Snapshot)[] dumps = [.. paths.Select(p => (p, DumpLoader.Load(p, parsed, options, cancellation, questions)))];
        if (dumps.Any(d => d.Snapshot.Source.Captured is null))
        {
            // Cores of other writers do not say when they were captured; their files do, as long as they were not copied.
            dumps = [.. dumps.OrderBy(d => File.GetLastWriteTimeUtc(d.Path))];
        }

        SnapshotSeries? series = SnapshotSeries.Create([.. dumps.Select(d => d.Snapshot)], out string? difference);
        if (series is null)
        {
            Console.Error.WriteLine(
                $"dumpanalyze: these are not {(dumps.Length == 2 ? "two " : "")}dumps of one process: {difference}; "
                + "analyse each one alone, or all that lie in a folder: dumpanalyze triage DIR --out OUT");
        }

        return series;
    }

    /// <summary>Two files of the same content, by their length, beginning, end and blocks in between; files that cannot be read are nobody's copy.</summary>
    private static (string First, string Second)? Twice(string[] paths)
    {
        Dictionary<string, string> seen = [];
        foreach (string path in paths)
        {
            try
            {
                string identity = DumpIdentity.OfFile(path, out _);
                if (!seen.TryAdd(identity, path))
                {
                    return (seen[identity], path);
                }
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException)
            {
                // Reading it says why.
            }
        }

        return null;
    }
}
