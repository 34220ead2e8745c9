using System.Globalization;
using Dump.Capture.Watching.Looks;

namespace Dump.Capture.Watching.Conditions;

/// <summary>One thread uses a processor for a long time without a pause. That of the whole process is no sign: a server at work uses many.</summary>
/// <param name="Share">Share of one processor, above 0 and at most 1.</param>
/// <param name="For">How long.</param>
public sealed record BusyThreadRule(double Share, TimeSpan For) : IWatchRule
{
    /// <inheritdoc/>
    public string Name => "--cpu";

    /// <inheritdoc/>
    public IWatchCondition Begin() => new Condition(this);

    private sealed class Condition(BusyThreadRule rule) : IWatchCondition
    {
        // Linux counts in steps of 10 ms, and a look takes time itself.
        private static readonly TimeSpan s_step = TimeSpan.FromMilliseconds(20);
        private readonly Dictionary<WatchedThread, TimeSpan> _since = [];
        private IReadOnlyDictionary<WatchedThread, TimeSpan>? _threads;
        private ProcessLook? _last;

        public string? Check(ProcessLook look)
        {
            ProcessLook? last = _last;
            _last = look;
            if (last is null)
            {
                return null;
            }

            TimeSpan wanted = (look.Moment - last.Moment) * rule.Share;
            TimeSpan least = TimeSpan.FromTicks(Math.Max(wanted.Ticks / 2, (wanted - s_step).Ticks));
            if (look.Processor - last.Processor < least)
            {
                // No thread can have used so much, so that none needs to be read.
                _since.Clear();
                _threads = null;
                return null;
            }

            IReadOnlyDictionary<WatchedThread, TimeSpan> threads = look.ReadThreads();
            Count(threads, least, last.Moment);
            _threads = threads;
            foreach ((WatchedThread thread, TimeSpan since) in _since)
            {
                if (look.Moment - since >= rule.For)
                {
                    _since.Clear();
                    return string.Create(CultureInfo.InvariantCulture,
                        $"thread {thread.Id} used {rule.Share:P0} of a processor and more for {(look.Moment - since).TotalSeconds:0} s");
                }
            }

            return null;
        }

        private void Count(IReadOnlyDictionary<WatchedThread, TimeSpan> threads, TimeSpan least, TimeSpan from)
        {
            if (_threads is null)
            {
                return;
            }

            foreach ((WatchedThread thread, TimeSpan used) in threads)
            {
                if (_threads.TryGetValue(thread, out TimeSpan before) && used - before >= least)
                {
                    _since.TryAdd(thread, from);
                }
                else
                {
                    _since.Remove(thread);
                }
            }

            foreach (WatchedThread ended in _since.Keys.Where(t => !threads.ContainsKey(t)).ToArray())
            {
                _since.Remove(ended);
            }
        }
    }
}
