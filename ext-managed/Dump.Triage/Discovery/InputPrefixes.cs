using Dump.Model.Text;

namespace Dump.Triage.Discovery;

/// <summary>
/// What stands before the paths of each input: nothing for a single folder; with several the folder's name,
/// and as much of the path before it as tells inputs of one name apart.
/// </summary>
internal sealed class InputPrefixes
{
    private readonly Dictionary<string, int> _lengths = new(StringComparer.Ordinal);
    private readonly bool _isSingle;

    /// <summary>Compares the inputs.</summary>
    /// <param name="inputs">Folders and files as the command line names them.</param>
    public InputPrefixes(IReadOnlyCollection<string> inputs)
    {
        string[] paths = [.. inputs.Select(Path.GetFullPath).Select(Path.TrimEndingDirectorySeparator).Distinct(StringComparer.Ordinal)];
        _isSingle = inputs.Count == 1;
        Array.ForEach(paths, p => _lengths[p] = 1);

        // Each round makes the tails of those that are not apart yet longer by one part.
        while (paths.GroupBy(Tail, StringComparer.Ordinal).Where(g => g.Count() > 1).SelectMany(g => g).Where(p => _lengths[p] < Parts(p).Length)
            .ToArray() is { Length: > 0 } alike)
        {
            Array.ForEach(alike, p => _lengths[p]++);
        }
    }

    /// <summary>The prefix of an input, empty or with <c>/</c> at its end (sanitised).</summary>
    public string Of(string input)
    {
        string path = Path.TrimEndingDirectorySeparator(Path.GetFullPath(input));
        bool isFolder = Directory.Exists(path);
        string tail = isFolder ? Tail(path) : Tail(path)[..^Parts(path)[^1].Length].TrimEnd('/');
        return tail.Length == 0 || (_isSingle && isFolder) ? "" : SafeText.Clean(tail) + "/";
    }

    private string Tail(string path) => string.Join('/', Parts(path).TakeLast(_lengths[path]));

    private static string[] Parts(string path) =>
        path.Split([Path.DirectorySeparatorChar, Path.AltDirectorySeparatorChar], StringSplitOptions.RemoveEmptyEntries) is { Length: > 0 } parts
            ? parts
            : [""];
}
