using System.Diagnostics;
using Dump.Triage.Children;
using Dump.Triage.Discovery;
using Dump.Triage.Records;

namespace Dump.Triage.Runs;

/// <summary>
/// Analyses all dumps of folders, in processes that end with a dump that they fail at, and keeps a record of each. May be
/// interrupted and killed at any moment: the next run goes on where it ended.
/// </summary>
public sealed class TriageRun : IDisposable
{
    private const string AllDumps = "all";
    private readonly TriageOptions _options;
    private readonly IRunOutput _output;
    private readonly IProgress<TriageProgress>? _progress;
    private readonly string _name;
    private readonly string _tool;
    private readonly Lock _gate = new();
    private readonly Dictionary<string, RecordSummary> _done = [];
    private readonly HashSet<TriageWarning> _warnings = [];
    private readonly List<FoundDump> _all = [];
    private readonly Stopwatch _working = new();
    private TriageCounts _counts = new();
    private Exception? _failure;
    private long _bytesDone;
    private long _bytesToDo;
    private int _found;
    private int _kept;
    private int _copies;
    private bool _hasBegun;

    /// <summary>Takes the place of the records.</summary>
    /// <exception cref="UnusableOutputException">The folder of the records cannot be made or written to, so nothing was begun.</exception>
    /// <exception cref="OutputInUseException">Another run writes to the folder.</exception>
    internal TriageRun(TriageOptions options, IRecordStore? store, IProgress<TriageProgress>? progress)
    {
        _name = options.Shard?.FileNamePart ?? AllDumps;
        _output = store is not null ? new StoreOutput(store, options) : new FolderOutput(options.Output, options.Shard, _name);
        _options = options with { Output = _output.Folder };
        _progress = progress;
        _tool = ToolLine.Of(options.AnalysisArguments);
    }

    /// <summary>Runs to the end.</summary>
    /// <param name="options">What to do.</param>
    /// <param name="progress">Told after each dump; called on several threads, one at a time.</param>
    /// <param name="cancellation">Ends the run: its processes are ended, its unpacked files removed, its records stay.</param>
    /// <exception cref="OperationCanceledException">It was ended.</exception>
    /// <exception cref="UnusableOutputException">The folder of the records cannot be made or written to, so nothing was begun.</exception>
    /// <exception cref="UnwritableRecordException">The folder of the records cannot be written any more.</exception>
    /// <exception cref="OutputInUseException">Another run writes to it.</exception>
    public static TriageSummary Run(TriageOptions options, IProgress<TriageProgress>? progress, CancellationToken cancellation) =>
        Run(options, null, progress, cancellation);

    /// <summary>Runs to the end and keeps the records in a store.</summary>
    /// <param name="options">What to do; its folder of records is not used.</param>
    /// <param name="store">The store, to which other runs may write meanwhile; null for the folder. Stays open.</param>
    /// <param name="progress">Told after each dump; called on several threads, one at a time.</param>
    /// <param name="cancellation">Ends the run: its processes are ended, its unpacked files removed, its records stay.</param>
    /// <exception cref="OperationCanceledException">It was ended.</exception>
    /// <exception cref="UnusableOutputException">The folder of the records cannot be made or written to, so nothing was begun.</exception>
    /// <exception cref="UnwritableRecordException">The place of the records cannot be written.</exception>
    /// <exception cref="UnusableStoreException">The store cannot be used any more.</exception>
    /// <exception cref="OutputInUseException">Another run writes to the folder.</exception>
    public static TriageSummary Run(TriageOptions options, IRecordStore? store, IProgress<TriageProgress>? progress, CancellationToken cancellation)
    {
        var clock = Stopwatch.StartNew();
        using TriageRun run = new(options, store, progress);
        run.Round(null, cancellation);
        return run.End(clock.Elapsed);
    }

    /// <summary>Told of each record that is kept or made, while its report can be read; of one at a time.</summary>
    internal Action<FoundDump, RecordContent>? Recorded { get; init; }

    /// <summary>Looks for dumps and analyses those without a record. What comes later can be looked for in another round.</summary>
    /// <param name="takes">Which files are looked at; null for all.</param>
    /// <param name="cancellation">Ends the round: its processes are ended, its unpacked files removed, its records stay.</param>
    /// <returns>How many dumps there were that this run had not seen before.</returns>
    /// <exception cref="OperationCanceledException">It was ended.</exception>
    internal int Round(Func<FoundFile, bool>? takes, CancellationToken cancellation)
    {
        bool isFirst = !_hasBegun;
        if (isFirst)
        {
            _output.Begin();
        }

        _hasBegun = true;
        using WorkFolder work = new(_options.Output, _name, _options.Unpacking);
        DumpAnalysis analysis = new(_options, work, _tool);
        DumpFinder finder = new(_options, _warnings, new Immediate(this), cancellation)
        {
            Takes = takes,
            Unpacking = (work, identity => _options.Shard?.Holds(identity) != false && (_options.Again || !IsDone(identity, analysis))),
        };
        IReadOnlyList<FoundDump> found = finder.Find();
        _all.AddRange(found);
        FoundDump[] dumps = [.. found.Where(d => _options.Shard?.Holds(d.Identity) != false)];
        _copies += dumps.Sum(d => d.Places.Count - 1);
        foreach (FoundDump again in dumps.Where(d => _done.ContainsKey(d.Identity) && !isFirst))
        {
            AddPlaces(again);
        }

        FoundDump[] unseen = [.. dumps.Where(d => isFirst || !_done.ContainsKey(d.Identity))];
        _found += unseen.Length;
        List<FoundDump> open = [.. unseen.Where(d => _options.Again || !Keep(d, analysis))];
        if (isFirst)
        {
            _output.Resume(_done.Values);
        }
        else if (unseen.Length > 0)
        {
            _output.GoOn();
            Array.ForEach([.. unseen.Except(open)], d => _output.Append(_done[d.Identity]));
        }

        if (isFirst || open.Count > 0)
        {
            Analyse(open, analysis, cancellation);
        }
        else if (unseen.Length > 0)
        {
            Report();
        }

        return unseen.Length;
    }

    /// <summary>Ends the run, or a round of it that left nothing undone.</summary>
    /// <param name="elapsed">How long it took.</param>
    /// <param name="isLast">False where another round may follow.</param>
    internal TriageSummary End(TimeSpan elapsed, bool isLast = true)
    {
        if (isLast)
        {
            _output.Finish(_all, _done.Values);
        }

        TriageWarning[] warnings = [.. _warnings];
        _counts = _counts with { NotLookedAt = warnings.Count(w => w.NotLookedAt) };
        TriageSummary summary = new(
            _counts, _kept, _copies,
            [.. warnings.OrderBy(w => w.Path, StringComparer.Ordinal).ThenBy(w => w.Message, StringComparer.Ordinal)], elapsed);
        _output.End(file => SummaryJson.Write(file, summary, _tool, _options.Shard, _done.Values.Select(r => r.Record.Outcome)));
        return summary;
    }

    /// <summary>Ends a run that was interrupted: what has no record is left to the next one.</summary>
    internal void Leave() => _output.Finish(_all, _done.Values);

    /// <inheritdoc/>
    public void Dispose() => _output.Dispose();

    /// <summary>A dump that this run has a record of lies at another place too.</summary>
    private void AddPlaces(FoundDump dump) => _output.Read(dump.Identity, record =>
    {
        RecordContent current = record with
        {
            Sources = [.. record.Sources.Concat(dump.Places.Select(p => p.Source)).Distinct().OrderBy(s => s.Path, StringComparer.Ordinal)
                .ThenBy(s => s.Member, StringComparer.Ordinal)],
        };
        if (!current.Sources.SequenceEqual(record.Sources))
        {
            _output.Write(current);
            _done[dump.Identity] = RecordSummary.Of(current);
        }

        Recorded?.Invoke(dump, current);
        return current.Identity;
    });

    private bool IsDone(string identity, DumpAnalysis analysis) =>
        _output.Read(identity, record => record.IsDone(_tool, analysis.Limits) && record.IsWhole() ? record.Identity : null!) is not null;

    /// <summary>Takes over the record of an earlier run where it stands.</summary>
    private bool Keep(FoundDump dump, DumpAnalysis analysis)
    {
        RecordSummary? kept = _output.Read(dump.Identity, record =>
        {
            if (!record.IsDone(_tool, analysis.Limits) || !record.IsWhole())
            {
                return null!;
            }

            RecordContent current = record with { Sources = [.. dump.Places.Select(p => p.Source)] };
            if (!current.Sources.SequenceEqual(record.Sources))
            {
                _output.Write(current);
            }

            Recorded?.Invoke(dump, current);
            return RecordSummary.Of(current);
        });
        if (kept is not null)
        {
            _kept++;
            Count(kept);
        }

        return kept is not null;
    }

    private void Analyse(List<FoundDump> open, DumpAnalysis analysis, CancellationToken cancellation)
    {
        // The largest first: a large one that comes last would run alone.
        Queue<FoundDump> queue = new(open.OrderByDescending(d => d.Size ?? 0).ThenBy(d => d.Identity, StringComparer.Ordinal));
        _bytesToDo += open.Sum(Weight);
        var budget = MemoryBudget.OfMachine();
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        _working.Start();
        Report();

        // Threads of their own, not the pool's: a child dies with the thread that started it.
        Thread[] workers =
        [
            .. Enumerable.Range(0, Math.Min(_options.Jobs, open.Count))
                .Select(i => new Thread(() => Work(queue, analysis, budget, ending)) { Name = $"triage {i}", IsBackground = true }),
        ];
        Array.ForEach(workers, w => w.Start());
        Array.ForEach(workers, w => w.Join());
        cancellation.ThrowIfCancellationRequested();
        if (_failure is not null)
        {
            System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw(_failure);
        }
    }

    private void Work(Queue<FoundDump> queue, DumpAnalysis analysis, MemoryBudget budget, CancellationTokenSource ending)
    {
        try
        {
            using WorkerCrew crew = analysis.Crew();
            while (Next(queue) is { } dump)
            {
                long memory = Take(budget, crew, MemoryBudget.Expected(dump.Size, _options.Memory), ending.Token);
                try
                {
                    analysis.Run(dump, crew, record => Keep(dump, record), ending.Token);
                }
                finally
                {
                    budget.GiveBack(memory);
                }
            }
        }
        catch (Exception error)
        {
            // The first failure ends the whole run; the others are ends of children that follow from it.
            lock (_gate)
            {
                _failure ??= error;
            }

            ending.Cancel();
        }
    }

    /// <summary>Waits for room for an analysis and for the processes that wait beside it; these go where there is none for them.</summary>
    private static long Take(MemoryBudget budget, WorkerCrew crew, long memory, CancellationToken cancellation)
    {
        long all = memory + crew.Kept;
        if (budget.TryTake(all))
        {
            return all;
        }

        crew.End();

        budget.Take(memory, cancellation);
        return memory;
    }

    private FoundDump? Next(Queue<FoundDump> queue)
    {
        lock (_gate)
        {
            return queue.TryDequeue(out FoundDump? dump) ? dump : null;
        }
    }

    private void Keep(FoundDump dump, RecordContent record)
    {
        _output.Write(record);
        var summary = RecordSummary.Of(record);
        lock (_gate)
        {
            _output.Append(summary);
            _bytesDone += Weight(dump);
            Count(summary);
            Recorded?.Invoke(dump, record);
            Report();
        }
    }

    private void Count(RecordSummary record)
    {
        _done[record.Record.Identity] = record;
        _counts = _counts.With(record);
    }

    // A dump costs the start of a process, and time that grows with its size.
    private static long Weight(FoundDump dump) => (64L << 20) + (dump.Size ?? 0);

    private void Report(int? searching = null)
    {
        TimeSpan running = _working.Elapsed;
        _progress?.Report(new TriageProgress(
            searching ?? _found,
            searching is not null,
            _kept,
            _counts,
            running,
            _bytesDone > 0 && _counts.Records - _kept >= 3 ? running * ((double)(_bytesToDo - _bytesDone) / _bytesDone) : null));
    }

    private sealed class Immediate(TriageRun run) : IProgress<int>
    {
        public void Report(int value) => run.Report(searching: value);
    }
}
