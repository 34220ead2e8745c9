namespace Dump.Triage.Watching;

/// <summary>Notices that are still to be told of: new ones at once, those that failed after a while, so that none keeps others back.</summary>
/// <param name="tell">Tells of one.</param>
internal sealed class PendingNotices(Func<WatchNotice, NoticeOutcome> tell)
{
    private const int Most = 10_000;
    private const int LongestPatience = 64;
    private const int MostRefusals = 16;
    private readonly Dictionary<string, (WatchNotice Notice, int Attempts)> _pending = new(StringComparer.Ordinal);
    private bool _isReached = true;
    private int _patience;
    private int _waited;

    /// <summary>How many there are.</summary>
    public int Count => _pending.Count;

    /// <summary>How many were taken.</summary>
    public int Sent { get; private set; }

    /// <summary>Attempts that failed.</summary>
    public int Failed { get; private set; }

    /// <summary>True when a bucket is to be told of.</summary>
    public bool Contains(string bucket) => _pending.ContainsKey(bucket);

    /// <summary>Adds one, unless there are very many.</summary>
    public void Add(WatchNotice notice)
    {
        if (_pending.Count < Most)
        {
            _pending.TryAdd(notice.Bucket, (notice, 0));
        }
    }

    /// <summary>Tells of them. After a round without success the next attempt at the same waits for some rounds, each time for more.</summary>
    /// <param name="taken">Told of the buckets of those that were taken.</param>
    public void Tell(Action<string> taken)
    {
        bool isDue = _waited++ >= _patience;
        if (!isDue && !_isReached)
        {
            return;
        }

        (WatchNotice Notice, int Attempts)[] due = [.. _pending.Values.Where(p => isDue || p.Attempts == 0).OrderBy(p => p.Attempts)];
        _waited = isDue ? 0 : _waited;
        int refused = 0;
        bool hasSucceeded = false;
        foreach ((WatchNotice notice, int attempts) in due)
        {
            NoticeOutcome outcome = tell(notice);
            _isReached = outcome != NoticeOutcome.Unreachable;
            if (outcome == NoticeOutcome.Taken)
            {
                hasSucceeded = true;
                Sent++;
                taken(notice.Bucket);
                _pending.Remove(notice.Bucket);
                continue;
            }

            Failed++;
            refused++;
            _pending[notice.Bucket] = (notice, attempts + 1);
            if (!_isReached || refused == MostRefusals)
            {
                break;
            }
        }

        if (isDue || !_isReached)
        {
            _patience = hasSucceeded || refused == 0 ? 0 : Math.Min(LongestPatience, (2 * _patience) + 1);
        }
    }
}

/// <summary>What became of a notice.</summary>
public enum NoticeOutcome
{
    /// <summary>It was taken.</summary>
    Taken,

    /// <summary>It was not taken; others may be.</summary>
    Refused,

    /// <summary>Whoever takes notices cannot be reached, so no other would be taken now.</summary>
    Unreachable,
}
