namespace Dump.Triage.Discovery;

/// <summary>What a run could not look at, as it is now: by its last walk through the folders, and by its last look at each file that is still there.</summary>
internal sealed class RunWarnings
{
    private readonly HashSet<TriageWarning> _walk = [];
    private readonly Dictionary<string, List<TriageWarning>> _files = new(StringComparer.Ordinal);
    private readonly HashSet<string> _seen = new(StringComparer.Ordinal);

    /// <summary>Takes what the walk passes over.</summary>
    public ICollection<TriageWarning> Walk => _walk;

    /// <summary>All of them, each once, in no order.</summary>
    public HashSet<TriageWarning> All => [.. _walk, .. _files.Values.SelectMany(w => w)];

    /// <summary>A walk begins.</summary>
    public void Begin()
    {
        _walk.Clear();
        _seen.Clear();
    }

    /// <summary>The walk came by a file.</summary>
    /// <param name="file">Its full path.</param>
    public void See(string file)
    {
        if (_files.ContainsKey(file))
        {
            _seen.Add(file);
        }
    }

    /// <summary>A file is looked at: what was said of it counts no more.</summary>
    /// <param name="file">Its full path.</param>
    public void Forget(string file) => _files.Remove(file);

    /// <summary>Something of a file was passed over.</summary>
    /// <param name="file">Its full path.</param>
    /// <param name="warning">What.</param>
    public void Add(string file, TriageWarning warning)
    {
        if (!_files.TryGetValue(file, out List<TriageWarning>? warnings))
        {
            _files.Add(file, warnings = []);
        }

        warnings.Add(warning);
        _seen.Add(file);
    }

    /// <summary>The walk is over: of files that it did not come by nothing is to be said.</summary>
    public void End()
    {
        foreach (string gone in _files.Keys.Where(f => !_seen.Contains(f)).ToArray())
        {
            _files.Remove(gone);
        }
    }
}
