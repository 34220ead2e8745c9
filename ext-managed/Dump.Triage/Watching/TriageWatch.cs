using System.Diagnostics;
using Dump.Model.Contract;
using Dump.Triage.Discovery;
using Dump.Triage.Records;
using Dump.Triage.Runs;

namespace Dump.Triage.Watching;

/// <summary>
/// A run that goes on: takes dumps as they come, tells of each class of hang once, and deletes dumps of which there are enough where that was asked for. May be
/// ended and killed at any moment: the next one goes on where it ended.
/// </summary>
public sealed class TriageWatch
{
    // A look at very many files is not to be all that the machine does.
    private const int PauseShare = 20;
    private const int MostPending = 10_000;
    private const int LongestPatience = 64;
    private readonly WatchOptions _watch;
    private readonly RestingFiles _files;
    private readonly NoticedBuckets _noticed;
    private readonly DumpPruning? _pruning;
    private readonly Dictionary<string, WatchNotice> _pending = new(StringComparer.Ordinal);
    private readonly DateTime _begun = DateTime.UtcNow;
    private readonly bool _isSeeding;
    private readonly HashSet<string> _buckets = new(StringComparer.Ordinal);
    private int _sent;
    private int _failed;
    private int _patience;
    private int _waited;
    private DateTime? _lastRecord;

    private TriageWatch(TriageOptions options, WatchOptions watch)
    {
        _watch = watch;
        _files = new RestingFiles(watch.Rest);
        _noticed = new NoticedBuckets(watch.Notices);
        _pruning = watch.Examples is { } examples ? new DumpPruning(options.Inputs, examples) : null;
        _isSeeding = !_noticed.IsContinued;
    }

    /// <summary>Watches until it is told to stop.</summary>
    /// <param name="options">What to do.</param>
    /// <param name="store">Where the records go; null for the folder.</param>
    /// <param name="watch">What to do besides.</param>
    /// <param name="progress">Told after each dump.</param>
    /// <param name="stop">Ends it: what is being analysed is left to the next watch.</param>
    /// <exception cref="UnusableOutputException">The folder of the records cannot be made or written to, so nothing was begun.</exception>
    /// <exception cref="UnwritableRecordException">The place of the records cannot be written.</exception>
    /// <exception cref="UnusableStoreException">The store cannot be used any more.</exception>
    /// <exception cref="OutputInUseException">Another run writes to the folder.</exception>
    public static WatchState Run(TriageOptions options, IRecordStore? store, WatchOptions watch, IProgress<TriageProgress>? progress, CancellationToken stop)
    {
        var clock = Stopwatch.StartNew();
        TriageCountsKeeper counts = new(progress);

        // The lock of the folder comes first: the file of notices is that of one watch.
        TriageWatch? self = null;
        using TriageRun run = new(options, store, counts) { Recorded = (dump, record) => self!.Take(dump, record) };
        self = new TriageWatch(options, watch);
        bool isDue = true;
        try
        {
            while (true)
            {
                TimeSpan before = clock.Elapsed;
                bool isNew = self.Look(run, clock, stop);
                isDue |= isNew;
                if (isDue && self._files.Waiting == 0)
                {
                    // Nothing is open: whoever merges the records now has those of all dumps.
                    counts.Take(run.End(clock.Elapsed, isLast: false));
                    isDue = false;
                }

                self.Tell();
                watch.Report?.Invoke(self.State(counts));
                TimeSpan pause = TimeSpan.FromTicks(Math.Max(watch.Pause.Ticks, (clock.Elapsed - before).Ticks * (isNew ? 0 : PauseShare)));
                if (stop.WaitHandle.WaitOne(pause))
                {
                    return self.End(run, clock, counts);
                }
            }
        }
        catch (OperationCanceledException) when (stop.IsCancellationRequested)
        {
            run.Leave();
            return self.State(counts);
        }
    }

    private WatchState End(TriageRun run, Stopwatch clock, TriageCountsKeeper counts)
    {
        if (_files.Waiting == 0)
        {
            counts.Take(run.End(clock.Elapsed));
        }
        else
        {
            run.Leave();
        }

        return State(counts);
    }

    private bool Look(TriageRun run, Stopwatch clock, CancellationToken stop)
    {
        _files.Begin();
        int unseen = run.Round(file => _files.Take(file.FullPath, file.Status, clock.Elapsed), stop);
        _files.End();
        _noticed.Begin();
        return unseen > 0;
    }

    private void Take(FoundDump dump, RecordContent record)
    {
        bool isKept = record.Timing is null || record.Timing.Started < _begun;
        if (!isKept)
        {
            // From the first record on, what has no line in the file of notices is news.
            _noticed.Begin();
            _lastRecord = DateTime.UtcNow;
        }

        if (WatchNotice.Of(record) is not { } notice)
        {
            return;
        }

        _buckets.Add(notice.Bucket);
        bool counts = notice.Confidence >= _watch.Weakest || notice.DetectorId == DetectorIds.Crashed;
        if (_watch.Notify is not null && counts && !_noticed.Contains(notice.Bucket) && _pending.Count < MostPending)
        {
            if (_isSeeding && isKept)
            {
                // What was found before anybody watched is no news.
                _noticed.Add(notice.Bucket);
            }
            else
            {
                _pending.TryAdd(notice.Bucket, notice);
            }
        }

        _pruning?.Keep(notice.Bucket, dump);
    }

    /// <summary>Tells of what is new. After a failure the next attempt waits for some rounds.</summary>
    private void Tell()
    {
        if (_waited++ < _patience)
        {
            return;
        }

        _waited = 0;
        foreach (WatchNotice notice in _pending.Values.ToArray())
        {
            if (!_watch.Notify!(notice))
            {
                _failed++;
                _patience = Math.Min(LongestPatience, (2 * _patience) + 1);
                return;
            }

            _patience = 0;
            _sent++;
            _noticed.Add(notice.Bucket);
            _pending.Remove(notice.Bucket);
        }
    }

    private WatchState State(TriageCountsKeeper counts) => new(
        counts.Counts, counts.Kept, _buckets.Count, _files.Waiting, _sent, _failed, _pending.Count, _pruning?.Files ?? 0, _pruning?.Bytes ?? 0, _lastRecord);

    /// <summary>Keeps the last counts of a run.</summary>
    private sealed class TriageCountsKeeper(IProgress<TriageProgress>? next) : IProgress<TriageProgress>
    {
        public TriageCounts Counts { get; private set; } = new();

        public int Kept { get; private set; }

        public void Report(TriageProgress value)
        {
            (Counts, Kept) = (value.Counts, value.Kept);
            next?.Report(value);
        }

        public void Take(TriageSummary summary) => (Counts, Kept) = (summary.Counts, summary.Kept);
    }
}
