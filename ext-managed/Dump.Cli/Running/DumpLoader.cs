using System.CommandLine;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Engine;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Triage.Discovery;

namespace Dump.Cli.Running;

/// <summary>Asks the engine about the dumps of a command line: fetches before where that is wanted, and shows progress on a terminal.</summary>
internal static class DumpLoader
{
    /// <summary>Judges the dump that a command line names.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="options">Its options.</param>
    /// <param name="rules">By which rules.</param>
    /// <param name="cancellation">Ends the reading.</param>
    /// <exception cref="Readers.InvalidDumpException">The dump cannot be read.</exception>
    public static Judgement Judge(ParseResult parsed, DumpOptions options, JudgingRules rules, CancellationToken cancellation)
    {
        DumpSession session = Open(parsed.GetRequiredValue(options.File), parsed, options, cancellation);
        using TerminalProgress progress = new();
        return session.Judge(rules, progress, cancellation);
    }

    /// <summary>Reads the facts of the dump that a command line names.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="options">Its options.</param>
    /// <param name="cancellation">Ends the reading.</param>
    /// <param name="questions">What to look for in the managed half besides; null for nothing.</param>
    /// <exception cref="Readers.InvalidDumpException">The dump cannot be read.</exception>
    public static ProcessSnapshot Load(ParseResult parsed, DumpOptions options, CancellationToken cancellation, ManagedQuestions? questions = null)
    {
        DumpSession session = Open(parsed.GetRequiredValue(options.File), parsed, options, cancellation);
        using TerminalProgress progress = new();
        return session.Read(questions, progress, cancellation);
    }

    /// <summary>Reads all dumps that a command line names; null, with an error printed, where they are not of one process.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="options">Its options; the first dump stands in them.</param>
    /// <param name="further">All other dumps.</param>
    /// <param name="cancellation">Ends the reading.</param>
    /// <param name="questions">What to look for in the managed half besides; null for nothing.</param>
    /// <exception cref="Readers.InvalidDumpException">A dump cannot be read.</exception>
    public static DumpSeries? LoadSeries(
        ParseResult parsed, DumpOptions options, string[] further, CancellationToken cancellation, ManagedQuestions? questions = null)
    {
        string[] paths = [parsed.GetRequiredValue(options.File), .. further];
        if (Twice(paths) is { } same)
        {
            // No time lies between a dump and itself: everything in it would seem to have stood still.
            Console.Error.WriteLine($"dumpanalyze: {SafeText.Clean(same.Second)} is the same dump as {SafeText.Clean(same.First)}; give a dump taken later");
            return null;
        }

        DumpSession[] sessions = [.. paths.Select(p => Open(p, parsed, options, cancellation))];
        DumpSeries? series;
        string? difference;
        using (TerminalProgress progress = new())
        {
            series = DumpSeries.Read(sessions, questions, out difference, progress, cancellation);
        }

        if (series is null)
        {
            Console.Error.WriteLine(
                $"dumpanalyze: these are not {(paths.Length == 2 ? "two " : "")}dumps of one process: {difference}; "
                + "analyze each one alone, or all in a folder: dumpanalyze triage DIR --out OUT");
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

    private static DumpSession Open(string path, ParseResult parsed, DumpOptions options, CancellationToken cancellation)
    {
        FetchRun.Before(path, parsed, options, cancellation);
        return options.Open(path, parsed);
    }
}
