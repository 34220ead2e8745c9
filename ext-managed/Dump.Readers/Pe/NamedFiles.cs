using System.Collections.Frozen;
using System.Collections.Immutable;

namespace Dump.Readers.Pe;

/// <summary>Files by their names without directories, without regard to case. Which module one belongs to only its content tells.</summary>
public sealed class NamedFiles
{
    private readonly FrozenDictionary<string, ImmutableArray<string>> _paths;

    private NamedFiles(IEnumerable<string> paths) =>
        _paths = paths.GroupBy(p => p[(p.LastIndexOfAny(['/', '\\']) + 1)..], StringComparer.OrdinalIgnoreCase)
            .ToFrozenDictionary(g => g.Key, g => g.Distinct().ToImmutableArray(), StringComparer.OrdinalIgnoreCase);

    /// <summary>No file at all.</summary>
    public static NamedFiles None { get; } = new([]);

    /// <summary>True when there are none.</summary>
    public bool IsEmpty => _paths.Count == 0;

    /// <summary>Files by their paths; they need not exist.</summary>
    public static NamedFiles Of(IReadOnlyCollection<string> paths) => paths.Count == 0 ? None : new NamedFiles(paths);

    /// <summary>The paths of all that have a name, in the order in which they were given.</summary>
    public ImmutableArray<string> Of(string name) => _paths.GetValueOrDefault(name, []);
}
