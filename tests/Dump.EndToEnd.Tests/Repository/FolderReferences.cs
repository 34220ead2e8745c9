namespace Dump.EndToEnd.Tests.RepositoryRules;

/// <summary>Which folders of a project refer to which, each with one type that does.</summary>
internal sealed class FolderReferences
{
    private readonly Dictionary<string, Dictionary<string, TypeReference>> _targets = [];

    /// <param name="references">References between the types of the project's assembly.</param>
    /// <param name="root">The project's own namespace: types outside of it come from source generators.</param>
    public FolderReferences(IEnumerable<TypeReference> references, string root)
    {
        bool IsOwn(string folder) => folder == root || folder.StartsWith(root + ".", StringComparison.Ordinal);
        foreach (TypeReference reference in references.Where(r => r.FromNamespace != r.ToNamespace && IsOwn(r.FromNamespace) && IsOwn(r.ToNamespace)))
        {
            if (!_targets.TryGetValue(reference.FromNamespace, out Dictionary<string, TypeReference>? targets))
            {
                _targets[reference.FromNamespace] = targets = [];
            }

            targets.TryAdd(reference.ToNamespace, reference);
        }
    }

    /// <summary>How many pairs of folders there are of which the first refers to the second.</summary>
    public int Count => _targets.Values.Sum(t => t.Count);

    /// <summary>The references that make a circle of the fewest folders; empty when there is none.</summary>
    public IReadOnlyList<TypeReference> ShortestCircle() =>
        _targets.Keys.Order(StringComparer.Ordinal).Select(PathBackTo).Where(p => p.Count > 0).MinBy(p => p.Count) ?? [];

    private List<TypeReference> PathBackTo(string start)
    {
        Dictionary<string, TypeReference> reachedBy = [];
        Queue<string> open = new([start]);
        while (open.TryDequeue(out string? folder) && !reachedBy.ContainsKey(start))
        {
            foreach ((string target, TypeReference reference) in _targets.GetValueOrDefault(folder, []))
            {
                if (reachedBy.TryAdd(target, reference))
                {
                    open.Enqueue(target);
                }
            }
        }

        List<TypeReference> path = [];
        for (string? at = start; at is not null && reachedBy.TryGetValue(at, out TypeReference? last);)
        {
            path.Insert(0, last);
            at = last.FromNamespace == start ? null : last.FromNamespace;
        }

        return path;
    }
}
