using System.Collections.Concurrent;

namespace Dump.Readers.Stores;

/// <summary>Finds files below a directory without regard to case, on case-sensitive file systems too. Directory listings are read once.</summary>
internal sealed class FileNames
{
    private readonly ConcurrentDictionary<string, IReadOnlyDictionary<string, string>> _listings = new(StringComparer.Ordinal);

    /// <summary>True when a name from a dump is a plain file name: it cannot lead out of a directory and needs no interpretation.</summary>
    /// <param name="name">The name.</param>
    public static bool IsPlain(string name) =>
        name.Length is > 0 and <= 255
        && name is not ("." or "..")
        && name.AsSpan().IndexOfAny("/\\:*?\"<>|") < 0
        && !name.Any(char.IsControl);

    /// <summary>The path of a file or directory below <paramref name="root"/>, or null when it does not exist. Every part must be a plain name.</summary>
    public string? Find(string root, params ReadOnlySpan<string> parts)
    {
        string path = root;
        foreach (string part in parts)
        {
            if (!IsPlain(part))
            {
                return null;
            }

            string exact = Path.Combine(path, part);
            if (Path.Exists(exact))
            {
                path = exact;
            }
            else if (_listings.GetOrAdd(path, List).TryGetValue(part, out string? actual))
            {
                path = Path.Combine(path, actual);
            }
            else
            {
                return null;
            }
        }

        return path;
    }

    private static IReadOnlyDictionary<string, string> List(string directory)
    {
        Dictionary<string, string> names = new(StringComparer.OrdinalIgnoreCase);
        try
        {
            foreach (string entry in Directory.EnumerateFileSystemEntries(directory).Order(StringComparer.Ordinal))
            {
                string name = Path.GetFileName(entry);
                names.TryAdd(name, name);
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException)
        {
            // A directory that cannot be listed has nothing to offer.
        }

        return names;
    }
}
