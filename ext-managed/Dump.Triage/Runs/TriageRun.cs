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
    private readonly RunRecords _records;
    private readonly RunWarnings _warnings = new();
    private readonly List<FoundDump> _all = [];
    private readonly Stopwatch _working = new();
    private Exception? _failure;
    private string? _passedOver;
    private long _bytesDone;
    private long _bytesToDo;
    private int _found;
    private int _kept;
    private int _notLookedAt;
    private int _files;
    private bool _hasBegun;
    private bool _hasEnded;

    /// <summary>Takes the place of the records.</summary>
    /// <exception cref="UnusableOutputException">The folder of the records cannot be made or written to, so nothing was begun.</exception>
    /// <exception cref="OutputInUseException">Another run writes to the folder.</exception>
    internal TriageRun(TriageOptions options, IRecordStore? store, IProgress<TriageProgress>? progress)
    {
        _name = options.Shard?.FileNamePart ?? AllDumps;
        _output = store is not null ? new StoreOutput(store, options) : new FolderOutput(options.Output, options.Shard, _name);
        _records = new RunRecords(_output);
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

    /// <summary>Told of each record that is kept (false) or made (true), while its report can be read; of one at a time.</summary>
    internal Action<FoundDump, RecordContent, bool>? Recorded { get; init; }

    /// <summary>Told of files that could not be read, which another look may find readable.</summary>
    internal Action<FoundFile>? Unread { get; init; }

    /// <summary>True when something has come or gone since the run last ended.</summary>
    internal bool HasChanged { get; private set; } = true;

    /// <summary>
    /// Looks for dumps and analyses those without a record, and those whose record another attempt may change. What comes later can be looked for in another round.
    /// </summary>
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
        FoundDump[] dumps = Find(takes, work, analysis, cancellation);
        foreach (FoundDump again in dumps.Where(d => _records.HasSettled(d.Identity) && !isFirst))
        {
            AddPlaces(again);
        }

        FoundDump[] unseen = [.. dumps.Where(d => isFirst || !_records.HasSettled(d.Identity))];
        HasChanged |= unseen.Length > 0;
        _found += unseen.Count(d => !_records.Has(d.Identity));
        List<FoundDump> open = [.. unseen.Where(d => _options.Again || !Keep(d, analysis))];
        if (isFirst)
        {
            _output.Resume(_records.All);
        }
        else if (unseen.Length > 0)
        {
            _output.GoOn();
            Array.ForEach([.. unseen.Except(open)], d => _output.Append(_records[d.Identity]));
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

    /// <summary>Sees to it that the record of a dump is found again after a power cut.</summary>
    /// <exception cref="IOException">That cannot be done.</exception>
    internal void Force(string identity) => _output.Force(identity);

    /// <summary>Ends the run, or a round of it that left nothing undone.</summary>
    /// <param name="elapsed">How long it took.</param>
    /// <param name="isLast">False where another round may follow.</param>
    internal TriageSummary End(TimeSpan elapsed, bool isLast = true)
    {
        if (isLast)
        {
            _output.Finish(_all, _records.All);
        }
        else if (!_hasEnded)
        {
            // What this run makes itself goes when its dump has changed.
            _output.RemoveStale(_all);
        }

        (_hasEnded, HasChanged) = (true, false);
        HashSet<TriageWarning> warnings = _warnings.All;
        if (_all.Count == 0 && _passedOver is not null)
        {
            warnings.Add(new TriageWarning("--include", $"no path matches; paths here look like {_passedOver}") { NotLookedAt = true });
        }

        TriageSummary summary = new(
            _records.Counts with { NotLookedAt = warnings.Count(w => w.NotLookedAt) }, _kept, _records.All.Sum(r => r.Record.Sources.Length - 1),
            [.. warnings.OrderBy(w => w.Path, StringComparer.Ordinal).ThenBy(w => w.Message, StringComparer.Ordinal)], elapsed) { Files = _files };
        _output.End(file => SummaryJson.Write(file, summary, _tool, _options, _records.All.Select(r => r.Record.Outcome)));
        return summary;
    }

    /// <summary>Ends a run that was interrupted: what has no record is left to the next one.</summary>
    internal void Leave() => _output.Finish(_all, _records.All);

    /// <inheritdoc/>
    public void Dispose() => _output.Dispose();

    /// <summary>The dumps of this run's part that it comes by, with all places where it has seen them and they still lie.</summary>
    private FoundDump[] Find(Func<FoundFile, bool>? takes, WorkFolder work, DumpAnalysis analysis, CancellationToken cancellation)
    {
        HashSet<TriageWarning> before = _warnings.All;
        DumpFinder finder = new(_options, _warnings, new Immediate(this), cancellation)
        {
            Takes = takes,
            Unread = Unread,
            Unpacking = (work, identity => _options.Shard?.Holds(identity) != false && (_options.Again || !IsDone(identity, analysis))),
        };
        IReadOnlyList<FoundDump> found = finder.Find();
        _passedOver ??= finder.PassedOver;
        _files = finder.Files;
        HashSet<TriageWarning> warnings = _warnings.All;
        _notLookedAt = warnings.Count(w => w.NotLookedAt);
        FoundDump[] dumps = [.. found.Where(d => _options.Shard?.Holds(d.Identity) != false)];
        bool hasLeft = _records.Place(dumps);
        HasChanged |= hasLeft || !before.SetEquals(warnings);
        dumps = [.. dumps.Select(WithEarlierPlaces)];
        _all.AddRange(found);
        return dumps;
    }

    private FoundDump WithEarlierPlaces(FoundDump dump)
    {
        if (!_records.Has(dump.Identity) || _records.HasSettled(dump.Identity))
        {
            return dump;
        }

        DumpPlace[] earlier =
        [
            .. _all.Where(d => d.Identity == dump.Identity).SelectMany(d => d.Places)
                .Where(p => !dump.Places.Any(now => now.File.FullPath == p.File.FullPath) && EntryStatus.Of(p.File.FullPath) == p.File.Status)
                .DistinctBy(p => (p.File.FullPath, p.Member?.Index)).Select(p => p with { Unpacked = null }),
        ];
        return dump with { Places = [.. dump.Places.Concat(earlier).OrderBy(p => p.Source.Path, StringComparer.Ordinal)
            .ThenBy(p => p.Source.Member, StringComparer.Ordinal)] };
    }

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
            _records.Move(current);
            HasChanged = true;
        }

        Recorded?.Invoke(dump, current, false);
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

            Recorded?.Invoke(dump, current, false);
            return RecordSummary.Of(current);
        });
        if (kept is not null)
        {
            _kept++;
            _records.Take(kept);
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
            _records.Take(summary);
            Recorded?.Invoke(dump, record, true);
            Report();
        }
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
            _records.Counts with { NotLookedAt = _notLookedAt },
            running,
            _bytesDone > 0 && _records.Counts.Records - _kept >= 3 ? running * ((double)(_bytesToDo - _bytesDone) / _bytesDone) : null));
    }

    private sealed class Immediate(TriageRun run) : IProgress<int>
    {
        public void Report(int value) => run.Report(searching: value);
    }
}

/// <summary>How far a run is.</summary>
/// <param name="Found">Dumps found so far; all when <paramref name="IsSearching"/> is false.</param>
/// <param name="IsSearching">True while folders are still searched.</param>
/// <param name="Kept">Dumps whose records of earlier runs stand.</param>
/// <param name="Counts">How those with a record ended, kept ones counted too.</param>
/// <param name="Running">Time since the first analysis began.</param>
/// <param name="Remaining">Time that the rest will take at the pace so far, or null when it is too early to tell.</param>
public sealed record TriageProgress(int Found, bool IsSearching, int Kept, TriageCounts Counts, TimeSpan Running, TimeSpan? Remaining)
{
    /// <summary>Dumps analysed in a second, or null when it is too early to tell.</summary>
    public double? Rate => Counts.Records > Kept && Running > TimeSpan.Zero ? (Counts.Records - Kept) / Running.TotalSeconds : null;
}
