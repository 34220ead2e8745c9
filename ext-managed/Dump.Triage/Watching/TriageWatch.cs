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
    private readonly Stopwatch _clock = Stopwatch.StartNew();
    private readonly WatchOptions _watch;
    private readonly RestingFiles _files;
    private readonly NoticedBuckets _noticed;
    private readonly PendingNotices? _pending;
    private readonly bool _isSeeding;
    private readonly HashSet<string> _buckets = new(StringComparer.Ordinal);
    private DumpPruning? _pruning;
    private DateTime? _lastRecord;

    private TriageWatch(WatchOptions watch)
    {
        _watch = watch;
        _files = new RestingFiles(watch.Rest);
        _noticed = new NoticedBuckets(watch.Notices);
        _pending = watch.Notify is { } tell ? new PendingNotices(tell) : null;
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
    /// <exception cref="OutputInUseException">Another run writes to the folder, or deletes dumps of a watched one.</exception>
    public static WatchState Run(TriageOptions options, IRecordStore? store, WatchOptions watch, IProgress<TriageProgress>? progress, CancellationToken stop)
    {
        TriageCountsKeeper counts = new(progress);

        // The lock of the folder comes first: the file of notices is that of one watch.
        TriageWatch? self = null;
        using TriageRun run = new(options, store, counts)
        {
            Recorded = (dump, record, isMade) => self!.Take(dump, record, isMade),
            Unread = file => self!._files.Repeat(file.FullPath, self._clock.Elapsed),
        };
        self = new TriageWatch(watch);
        using DumpPruning? pruning = watch.Examples is { } examples ? new DumpPruning(options, examples, run.Force) { Deleted = watch.Deleted } : null;
        self._pruning = pruning;
        return self.Run(run, counts, stop);
    }

    private WatchState Run(TriageRun run, TriageCountsKeeper counts, CancellationToken stop)
    {
        try
        {
            while (true)
            {
                TimeSpan before = _clock.Elapsed;
                bool isNew = Look(run, stop);
                if (run.HasChanged && _files.Waiting == 0)
                {
                    // Nothing is open: whoever merges the records now has those of all dumps.
                    counts.Take(run.End(_clock.Elapsed, isLast: false));
                }

                _pending?.Tell(_noticed.Add);
                _watch.Report?.Invoke(State(counts));
                TimeSpan pause = TimeSpan.FromTicks(Math.Max(_watch.Pause.Ticks, (_clock.Elapsed - before).Ticks * (isNew ? 0 : PauseShare)));
                if (stop.WaitHandle.WaitOne(pause))
                {
                    return End(run, counts);
                }
            }
        }
        catch (OperationCanceledException) when (stop.IsCancellationRequested)
        {
            run.Leave();
            return State(counts);
        }
    }

    private WatchState End(TriageRun run, TriageCountsKeeper counts)
    {
        if (_files.Waiting == 0)
        {
            counts.Take(run.End(_clock.Elapsed));
        }
        else
        {
            run.Leave();
        }

        return State(counts);
    }

    private bool Look(TriageRun run, CancellationToken stop)
    {
        _files.Begin();
        int unseen = run.Round(file => _files.Take(file.FullPath, file.Status, _clock.Elapsed, () => LikelyDump.Is(file)), stop);
        _files.End();
        if (_files.Waiting == 0)
        {
            _noticed.Begin();
        }

        return unseen > 0;
    }

    private void Take(FoundDump dump, RecordContent record, bool isMade)
    {
        if (isMade)
        {
            // Those that stand are all told of before: from the first record that is made on, what has no line in the file of notices is news.
            _noticed.Begin();
            _lastRecord = DateTime.UtcNow;
        }

        if (record.MayChange)
        {
            foreach (DumpPlace place in dump.Places)
            {
                _files.Repeat(place.File.FullPath, _clock.Elapsed);
            }
        }

        if (WatchNotice.Of(record) is not { } notice)
        {
            return;
        }

        _buckets.Add(notice.Bucket);
        bool counts = notice.Confidence >= _watch.Weakest || notice.DetectorId == DetectorIds.Crashed;
        if (_pending is not null && counts && !_noticed.Contains(notice.Bucket) && !_pending.Contains(notice.Bucket))
        {
            if (_isSeeding && !isMade)
            {
                // What was found before anybody watched is no news.
                _noticed.Add(notice.Bucket);
            }
            else
            {
                _pending.Add(notice);
            }
        }

        if (notice.Sameness is { } sameness)
        {
            _pruning?.Keep(sameness, dump);
        }
    }

    private WatchState State(TriageCountsKeeper counts) => new(
        counts.Counts, counts.Kept, _buckets.Count, _files.Waiting, _pending?.Sent ?? 0, _pending?.Failed ?? 0, _pending?.Count ?? 0, _pruning?.Files ?? 0,
        _pruning?.Bytes ?? 0, _lastRecord);

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
