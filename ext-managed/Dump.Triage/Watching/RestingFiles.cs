using Dump.Triage.Discovery;

namespace Dump.Triage.Watching;

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
