using System.Collections.Immutable;
using System.Globalization;
using Dump.Readers.Pe;

namespace Dump.Readers.Symbols;

/// <summary>
/// Local directories with PDB files, in the order of a symbol path. Nothing is ever fetched: asking a server would tell it which modules a private dump has,
/// and opening a network share hands out the user's credentials.
/// </summary>
public sealed class SymbolSearchPath
{
    private const int MaxElements = 256;
    private readonly FileNames _names = new();

    private readonly NamedFiles _files;

    private SymbolSearchPath(ImmutableArray<string> directories, ImmutableArray<string> skipped, NamedFiles files)
    {
        Directories = directories;
        Skipped = skipped;
        _files = files;
    }

    /// <summary>No directory at all.</summary>
    public static SymbolSearchPath None { get; } = new([], [], NamedFiles.None);

    /// <summary>Local directories in the order of search, each once; they need not exist.</summary>
    public ImmutableArray<string> Directories { get; }

    /// <summary>Elements that are not used: servers, network shares, and what the grammar does not know.</summary>
    public ImmutableArray<string> Skipped { get; }

    /// <summary>True when there is no place that a file could be missing in.</summary>
    public bool IsEmpty => Directories.IsEmpty && Skipped.IsEmpty;

    /// <summary>True when there is a place or a file to look at.</summary>
    public bool HasPlaces => !IsEmpty || !_files.IsEmpty;

    /// <summary>
    /// Parses a path in the form of <c>_NT_SYMBOL_PATH</c> (Microsoft, "Symbol path for Windows debuggers"): elements between semicolons, each a directory,
    /// <c>srv*CACHE*...*STORE</c>, <c>symsrv*DLL*CACHE*...*STORE</c> or <c>cache*DIR</c>, where a store is a directory, a share or a URL.
    /// Empty elements count as none: they mean a debugger's own default directory.
    /// </summary>
    /// <param name="path">The path; null or empty for none. Elements beyond the 256th are left out.</param>
    public static SymbolSearchPath Parse(string? path)
    {
        List<string> directories = [];
        List<string> skipped = [];
        foreach (string element in (path ?? "").Split(';', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries).Take(MaxElements))
        {
            string[] parts = element.Split('*', StringSplitOptions.TrimEntries);
            if (FirstStore(parts) is not { } first)
            {
                skipped.Add(element);
                continue;
            }

            foreach (string part in parts.Skip(first).Where(p => p.Length > 0))
            {
                (IsLocal(part) ? directories : skipped).Add(part);
            }
        }

        return new SymbolSearchPath([.. directories.Distinct()], [.. skipped.Distinct()], NamedFiles.None);
    }

    /// <summary>The same path behind single files.</summary>
    /// <param name="files">Files that are looked at first.</param>
    public SymbolSearchPath With(NamedFiles files) => new(Directories, Skipped, files);

    /// <summary>
    /// Existing files that may be an image's PDB: single ones of its name, then in the order of the path: by name, then by name and key as symbol stores have
    /// them, both without regard to case. Which is the right one only its content tells.
    /// </summary>
    /// <param name="identity">Identity from the image. Only the last component of its name counts; nothing is found when that is no plain file name.</param>
    public IEnumerable<string> Candidates(PdbIdentity identity)
    {
        string name = identity.FileName[(identity.FileName.AsSpan().LastIndexOfAny('/', '\\') + 1)..];
        string key = string.Create(CultureInfo.InvariantCulture, $"{identity.Guid.ToString("N").ToUpperInvariant()}{identity.Age:X}");
        if (!FileNames.IsPlain(name))
        {
            yield break;
        }

        foreach (string file in _files.Of(name).Where(File.Exists))
        {
            yield return file;
        }

        foreach (string directory in Directories)
        {
            foreach (string? candidate in (string?[])[_names.Find(directory, name), _names.Find(directory, name, key, name)])
            {
                if (File.Exists(candidate))
                {
                    yield return candidate;
                }
            }
        }
    }

    /// <summary>Index of the first part of an element that is a place; null for an element of an unknown kind.</summary>
    private static int? FirstStore(string[] parts) => parts switch
    {
        [_] => 0,
        [var kind, ..] when Is(kind, "srv") || Is(kind, "cache") => 1,
        [var kind, _, ..] when Is(kind, "symsrv") => 2,
        _ => null,
    };

    private static bool Is(string kind, string name) => kind.Equals(name, StringComparison.OrdinalIgnoreCase);

    // Two separators begin a share or a device name on Windows, whichever way they lean.
    private static bool IsLocal(string place) =>
        !place.Contains("://", StringComparison.Ordinal)
        && !place.Contains('\0')
        && !(place.Length >= 2 && place[0] is '/' or '\\' && place[1] is '/' or '\\');
}
