using Dump.Triage.Discovery;

namespace Dump.Triage.Watching;

/// <summary>
/// Tells files that are whole from files that somebody still writes: one is at rest when two looks, some time apart, saw the same size and the same time of its
/// last change. Each state of a file is taken once. A file that was renamed into its place is whole, and is taken at the second look too.
/// </summary>
/// <param name="rest">How long nothing may have changed.</param>
internal sealed class RestingFiles(TimeSpan rest)
{
    private Dictionary<string, State> _states = [];
    private Dictionary<string, State> _seen = [];

    /// <summary>Files that were not at rest at the last look.</summary>
    public int Waiting { get; private set; }

    /// <summary>A look at all files begins: those that it does not come by are forgotten.</summary>
    public void Begin() => (_seen, Waiting) = ([], 0);

    /// <summary>The look is over.</summary>
    public void End() => _states = _seen;

    /// <summary>Looks at a file.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="status">What the file system says of it.</param>
    /// <param name="now">When that was, on a clock that only goes on.</param>
    /// <returns>True when it is at rest, and was not taken in this state before.</returns>
    public bool Take(string path, EntryStatus status, TimeSpan now)
    {
        State state = _states.TryGetValue(path, out State? known) && known.IsOf(status) ? known : new State(status.Size, status.Modified, status.Key, now);
        bool isTaken = !state.IsTaken && now - state.Since >= rest;
        Waiting += !state.IsTaken && !isTaken ? 1 : 0;
        _seen[path] = state with { IsTaken = state.IsTaken || isTaken };
        return isTaken;
    }

    private sealed record State(long Size, long Modified, string Key, TimeSpan Since)
    {
        public bool IsTaken { get; init; }

        public bool IsOf(EntryStatus status) => status.Size == Size && status.Modified == Modified && status.Key == Key;
    }
}
