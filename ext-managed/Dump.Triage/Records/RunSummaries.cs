using System.Globalization;
using System.Text.Json;
using Dump.Model.Contract;
using Dump.Model.Merging;
using Dump.Model.Text;
using Dump.Readers.Files;

namespace Dump.Triage.Records;

/// <summary>
/// The summaries that the runs of one folder have left, read back: which runs have ended, and what they could
/// not look at. A run without one was interrupted, or is still running.
/// </summary>
internal sealed class RunSummaries
{
    // A line for each warning of millions of files.
    private const long LongestFile = 256L << 20;
    private const int MostWarnings = 100_000;
    private const int MostNamed = 8;
    private readonly List<TriageWarning> _warnings = [];
    private readonly HashSet<(Shard Shard, string? Inputs)> _shards = [];
    private readonly List<string?> _wholeRuns = [];
    private readonly string? _inputs;

    private RunSummaries(string? inputs = null) => _inputs = inputs;

    /// <summary>What the runs could not look at, and summaries that cannot be read.</summary>
    public IReadOnlyList<TriageWarning> Warnings => _warnings;

    /// <summary>True when any run has ended.</summary>
    private bool HasEnded => _wholeRuns.Count > 0 || _shards.Count > 0;

    /// <summary>Parts of what no run over all dumps, and no other number of parts, has looked through wholly: each by what it is a part of.</summary>
    private IEnumerable<(Shard Shard, string? Inputs)> OpenParts => _shards.GroupBy(s => s.Inputs, StringComparer.Ordinal)
        .Where(g => !HasWholeRun(g.Key) && !g.GroupBy(s => s.Shard.Count).Any(n => n.Count() == n.Key)).SelectMany(g => g);

    /// <summary>Reads those of a folder.</summary>
    /// <param name="directory">The folder that <c>--out</c> named.</param>
    public static RunSummaries Read(string directory)
    {
        RunSummaries summaries = new();
        foreach (string path in Directory.EnumerateFiles(directory, RunFiles.SummaryPattern).Take(Shard.Most + 1).Order(StringComparer.Ordinal))
        {
            summaries.Add(path);
        }

        if (summaries.HasEnded)
        {
            summaries.AddCopied(directory);
        }

        return summaries;
    }

    /// <summary>
    /// Those of a store, with the place of each: a run over all dumps by itself, and parts of the same inputs together, for each makes up a whole
    /// only with the others.
    /// </summary>
    /// <param name="store">Name of the store.</param>
    /// <param name="runs">Its runs. Without any, it has one that has not ended: nobody knows what is missing.</param>
    public static IReadOnlyList<(string Place, RunSummaries Summaries)> Of(string store, IReadOnlyList<StoredRun> runs)
    {
        List<(string Place, RunSummaries Summaries)> places = [];
        foreach (IGrouping<(string Runs, int Parts), StoredRun> whole in runs.GroupBy(r => r.Shard is null ? (r.Key, 0) : (r.Inputs, PartsOf(r.Shard))))
        {
            // A run without a machine was copied from a folder of records, and names that folder.
            StoredRun first = whole.First();
            RunSummaries summaries = new(first.Machine is null ? null : first.Inputs);
            foreach (StoredRun run in whole)
            {
                if (run.Summary is { } summary)
                {
                    summaries.Add(RunFiles.SummaryName(run.Shard), () => summary.Length > LongestFile ? null : JsonDocument.Parse(summary));
                }
            }

            places.Add(($"{store}: {(first.Shard is null && first.Machine is { } machine ? $"{machine}, " : "")}{first.Inputs}", summaries));
        }

        return runs.Count == 0 ? [(store, new RunSummaries())] : places;
    }

    /// <summary>
    /// What of the runs of several folders is not there: folders in which no run has ended, and parts of which there are others. Parts may lie in one
    /// folder each; where summaries say what they are parts of, those of other dumps do not count.
    /// </summary>
    /// <param name="folders">The folders with their summaries.</param>
    public static IEnumerable<TriageWarning> Unfinished(IReadOnlyCollection<(string Folder, RunSummaries Summaries)> folders)
    {
        foreach ((string folder, RunSummaries summaries) in folders.Where(f => !f.Summaries.HasEnded))
        {
            yield return new TriageWarning(SafeText.Clean(folder),
                "no run of triage has ended there (there is no summary), so dumps may be missing; call triage again to finish it") { Kind =
                    TriageGapKind.RunNotEnded };
        }

        foreach (IGrouping<(int Count, string? Inputs), (Shard Shard, string Folder)> run in folders
            .SelectMany(f => f.Summaries.OpenParts, (f, s) => (s.Shard, f.Folder, s.Inputs))
            .GroupBy(s => (s.Shard.Count, s.Inputs), s => (s.Shard, s.Folder))
            .OrderBy(g => g.Key.Count).ThenBy(g => g.Key.Inputs, StringComparer.Ordinal))
        {
            int count = run.Key.Count;
            HashSet<int> there = [.. run.Select(s => s.Shard.Index)];
            int[] missing = [.. Enumerable.Range(1, count).Where(i => !there.Contains(i))];
            if (missing.Length > 0)
            {
                string names = string.Join(", ", missing.Take(MostNamed).Select(i => new Shard(i, count).Text));
                string more = missing.Length > MostNamed ? string.Create(CultureInfo.InvariantCulture, $" and {missing.Length - MostNamed} more") : "";
                string place = string.Join(", ", run.Select(s => s.Folder).Distinct(StringComparer.Ordinal).Take(MostNamed).Select(f => SafeText.Clean(f)));
                string what = run.Key.Inputs is { } inputs && !place.EndsWith(inputs, StringComparison.Ordinal) ? $" of {inputs}" : "";
                yield return new TriageWarning(
                    place, $"{(missing.Length == 1 ? "part" : "parts")} {names}{more} of the dumps{what} {(missing.Length == 1 ? "is" : "are")} missing: no such "
                        + "run has ended") { Kind = TriageGapKind.PartMissing };
            }
        }
    }

    /// <summary>Where nobody knows what parts are of, any run over all dumps of their folder counts, as it did before summaries said it.</summary>
    private bool HasWholeRun(string? inputs) => inputs is null ? _wholeRuns.Count > 0 : _wholeRuns.Contains(inputs, StringComparer.Ordinal);

    /// <summary>How many parts there are, or -1 where that cannot be read.</summary>
    private static int PartsOf(string part) => Shard.TryParse(part, out Shard? shard) ? shard.Count : -1;

    /// <summary>A run of the folder's own that ended after others were copied into it says nothing of these.</summary>
    private void AddCopied(string directory)
    {
        foreach (StoredRun run in CopiedRuns.Read(directory)?.Runs.Where(r => !r.Key.StartsWith(CopiedRuns.Own, StringComparison.Ordinal)) ?? [])
        {
            if (run.Summary is { } summary)
            {
                Add(RunFiles.SummaryName(run.Shard), () => JsonDocument.Parse(summary));
                continue;
            }

            _warnings.Add(new TriageWarning(SafeText.Clean(run.Inputs),
                "its records were copied before its run had ended, so dumps may be missing; copy them again by merge --into when it has") { Kind =
                    TriageGapKind.RunNotEnded });
        }
    }

    private void Add(string path) => Add(Path.GetFileName(path), () =>
    {
        using FileStream file = RegularFile.OpenRead(path);
        return file.Length > LongestFile ? null : JsonDocument.Parse(file);
    });

    private void Add(string name, Func<JsonDocument?> read)
    {
        try
        {
            using JsonDocument? json = read();
            if (json?.RootElement is not { } summary || summary.Text("schema") != SchemaNames.Triage)
            {
                Unreadable(name);
                return;
            }

            string? part = summary.Text("shard");
            foreach (string? inputs in RunInputs.Read(summary))
            {
                if (part is null)
                {
                    _wholeRuns.Add(inputs ?? _inputs);
                }
                else if (Shard.TryParse(part, out Shard? shard))
                {
                    _shards.Add((shard, inputs ?? _inputs));
                }
            }

            foreach (JsonElement warning in summary.List("warnings").Where(w => w.IsTrue("notLookedAt"))
                .Take(MostWarnings - Math.Min(MostWarnings, _warnings.Count)))
            {
                _warnings.Add(new TriageWarning(SafeText.Clean(warning.Text("path")), SafeText.Clean(warning.Text("message"))));
            }
        }
        catch (Exception error) when (error is FileNotFoundException)
        {
            // A run that begins takes it away: it counts as one that has not ended.
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or JsonException or InvalidOperationException)
        {
            Unreadable(name);
        }
    }

    private void Unreadable(string name) =>
        _warnings.Add(new TriageWarning(SafeText.Clean(name),
            "this summary of a run cannot be read, so what that run could not read is unknown; call triage again to write it") { Kind =
                TriageGapKind.RunNotEnded });
}
