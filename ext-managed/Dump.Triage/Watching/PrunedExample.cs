using Dump.Triage.Discovery;

namespace Dump.Triage.Watching;

/// <summary>A dump that stays as an example of its hang, as long as it lies where it was seen.</summary>
/// <param name="identity">Identity of its content.</param>
internal sealed class PrunedExample(string identity)
{
    private readonly Dictionary<string, EntryStatus> _places = new(StringComparer.Ordinal);

    /// <summary>Identity of its content.</summary>
    public string Identity => identity;

    /// <summary>Where it lies, or one of its places.</summary>
    public string Place => _places.Keys.Min(StringComparer.Ordinal)!;

    /// <summary>Notes where it lies: files of its own, and archives that it is in.</summary>
    public void Add(FoundDump dump)
    {
        foreach (FoundFile file in dump.Places.Select(p => p.File))
        {
            _places[file.FullPath] = file.Status;
        }
    }

    /// <summary>True when it lies unchanged at one of its places at least.</summary>
    /// <param name="others">Paths at which something else lies.</param>
    public bool Lies(IReadOnlySet<string> others) => _places.Any(p => !others.Contains(p.Key) && EntryStatus.Of(p.Key) == p.Value);
}
