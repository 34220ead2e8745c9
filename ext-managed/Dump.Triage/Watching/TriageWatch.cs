using System.Diagnostics;
using System.Text;
using Dump.Model.Contract;
using Dump.Model.Facts;
using Dump.Model.Text;
using Dump.Readers.Files;
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

/// <summary>The buckets that have been told of, one to a line of a file, so that each is told of once, whatever ends in between.</summary>
internal sealed class NoticedBuckets
{
    private const string Run = "watch";
    private const int LongestFile = 64 << 20;
    private readonly string? _path;
    private readonly HashSet<string> _buckets = new(StringComparer.Ordinal);
    private bool _isThere;

    /// <summary>Reads them.</summary>
    /// <param name="path">The file, which need not be there; null to keep none.</param>
    /// <exception cref="UnwritableRecordException">It cannot be read, or is none of ours.</exception>
    public NoticedBuckets(string? path)
    {
        _path = path;
        if (path is null || !File.Exists(path))
        {
            return;
        }

        IsContinued = _isThere = true;
        try
        {
            using FileStream file = RegularFile.OpenRead(path);
            using StreamReader text = new(file, Encoding.ASCII);
            while (file.Length <= LongestFile && text.ReadLine() is { } line)
            {
                _buckets.Add(line);
            }
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or Dump.Readers.InvalidDumpException)
        {
            throw new UnwritableRecordException(SafeText.Clean(error.Message.TrimEnd('.')), error);
        }
    }

    /// <summary>True when the file was there: an earlier watch has told of what it found.</summary>
    public bool IsContinued { get; }

    /// <summary>True for a bucket that was told of.</summary>
    public bool Contains(string bucket) => _buckets.Contains(bucket);

    /// <summary>Notes a bucket; once the file is begun, it is on the disk when this returns.</summary>
    /// <exception cref="UnwritableRecordException">It cannot be written.</exception>
    public void Add(string bucket)
    {
        if (!_buckets.Add(bucket) || _path is null || !_isThere)
        {
            return;
        }

        try
        {
            using FileStream file = new(_path, FileMode.Append, FileAccess.Write, FileShare.Read);
            file.Write(Encoding.ASCII.GetBytes(bucket + "\n"));
            file.Flush(flushToDisk: true);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new UnwritableRecordException(SafeText.Clean(error.Message.TrimEnd('.')), error);
        }
    }

    /// <summary>
    /// Makes the file when it is not there, with all that was noted, wholly or not at all: the next watch goes on from here, and one that was ended before begins
    /// anew.
    /// </summary>
    /// <exception cref="UnwritableRecordException">It cannot be made.</exception>
    public void Begin()
    {
        if (_path is null || _isThere)
        {
            return;
        }

        AtomicFile.Write(_path, Run, file => file.Write(Encoding.ASCII.GetBytes(string.Concat(_buckets.Select(b => b + "\n")))));
        _isThere = true;
    }
}

/// <summary>
/// Tells files that are whole from files that somebody still writes: one is at rest when two looks, some time apart, saw the same size and the same time of its
/// last change. Each state of a file is taken once, and again later where that came to nothing. A file that was renamed into its place is whole, and is taken at
/// the second look too.
/// </summary>
/// <param name="rest">How long nothing may have changed.</param>
internal sealed class RestingFiles(TimeSpan rest)
{
    // From two seconds to an hour.
    private const int MostDoublings = 11;
    private Dictionary<string, State> _states = [];
    private Dictionary<string, State> _seen = [];

    /// <summary>Files that were not at rest at the last look, and matter.</summary>
    public int Waiting { get; private set; }

    /// <summary>A look at all files begins: those that it does not come by are forgotten.</summary>
    public void Begin() => (_seen, Waiting) = ([], 0);

    /// <summary>The look is over.</summary>
    public void End() => _states = _seen;

    /// <summary>Looks at a file.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="status">What the file system says of it.</param>
    /// <param name="now">When that was, on a clock that only goes on.</param>
    /// <param name="matters">Tells, of one that is not at rest, whether it is waited for; null when all are.</param>
    /// <returns>True when it is at rest, and was not taken in this state before.</returns>
    public bool Take(string path, EntryStatus status, TimeSpan now, Func<bool>? matters = null)
    {
        State state = _states.TryGetValue(path, out State? known) && known.IsOf(status) ? known : new State(status.Size, status.Modified, status.Key, now + rest);
        bool isTaken = !state.IsTaken && now >= state.Due;
        Waiting += state is { IsTaken: false, Repeats: 0 } && !isTaken && matters?.Invoke() != false ? 1 : 0;
        _seen[path] = state with { IsTaken = state.IsTaken || isTaken };
        return isTaken;
    }

    /// <summary>What was taken in the look that goes on came to nothing: it is taken again though it does not change, each time after twice as long.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="now">When that was.</param>
    public void Repeat(string path, TimeSpan now)
    {
        if (_seen.TryGetValue(path, out State? state) && state.IsTaken)
        {
            int repeats = Math.Min(state.Repeats + 1, MostDoublings);
            _seen[path] = state with { IsTaken = false, Repeats = repeats, Due = now + (rest * (1 << repeats)) };
        }
    }

    private sealed record State(long Size, long Modified, string Key, TimeSpan Due)
    {
        public bool IsTaken { get; init; }

        /// <summary>How often it has come to nothing.</summary>
        public int Repeats { get; init; }

        public bool IsOf(EntryStatus status) => status.Size == Size && status.Modified == Modified && status.Key == Key;
    }
}

/// <summary>What a watch does besides keeping records.</summary>
public sealed record WatchOptions
{
    /// <summary>Tells of a hang that comes for the first time; what is not taken is tried again. Null to tell of none.</summary>
    public Func<WatchNotice, NoticeOutcome>? Notify { get; init; }

    /// <summary>Weakest confidence that is told of; crashes are in any case.</summary>
    public Confidence Weakest { get; init; } = Confidence.Likely;

    /// <summary>File with the buckets that were told of; null with <see cref="Notify"/> null.</summary>
    public string? Notices { get; init; }

    /// <summary>Dumps of one hang, the same on each thread of its verdict, that stay on the disk; null to delete none.</summary>
    public int? Examples { get; init; }

    /// <summary>Told of each dump that was deleted: its path, and that of one that stays and is the same.</summary>
    public Action<string, string>? Deleted { get; init; }

    /// <summary>Told of each state at rest: after each round.</summary>
    public Action<WatchState>? Report { get; init; }

    /// <summary>How long a file has to be unchanged.</summary>
    public TimeSpan Rest { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>Pause between two looks; longer where a look itself takes long.</summary>
    public TimeSpan Pause { get; init; } = TimeSpan.FromSeconds(2);
}

/// <summary>What a watch has done since it began.</summary>
/// <param name="Counts">How its dumps ended, those with an earlier record counted too.</param>
/// <param name="Kept">Dumps that had a record when it began.</param>
/// <param name="Buckets">Classes of hangs and crashes among them.</param>
/// <param name="Waiting">Files that are not at rest.</param>
/// <param name="Notices">Buckets that were told of.</param>
/// <param name="FailedNotices">Attempts to tell of one that failed.</param>
/// <param name="PendingNotices">Buckets that are still to be told of.</param>
/// <param name="PrunedFiles">Dumps that were deleted.</param>
/// <param name="PrunedBytes">Their bytes.</param>
/// <param name="LastRecord">When the last record was made (UTC), or null.</param>
public sealed record WatchState(TriageCounts Counts, int Kept, int Buckets, int Waiting, int Notices, int FailedNotices, int PendingNotices, long PrunedFiles,
    long PrunedBytes, DateTime? LastRecord);
