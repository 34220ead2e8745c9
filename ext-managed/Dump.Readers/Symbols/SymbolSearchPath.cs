using System.Collections.Immutable;
using Dump.Model.Contract;
using Dump.Readers.Pe;
using Dump.Readers.Stores;

namespace Dump.Readers.Symbols;

/// <summary>
/// Local directories with PDB files and images, in the order of a symbol path. The reading of dumps fetches nothing: asking a server would tell it which modules
/// a private dump has, and opening a network share hands out the user's credentials. The servers stand here for the command that the user gives to ask them.
/// </summary>
public sealed class SymbolSearchPath
{
    private const int MaxElements = 256;
    private readonly NamedFiles _named;

    private SymbolSearchPath(
        ImmutableArray<string> directories, ImmutableArray<string> skipped, ImmutableArray<SymbolServer> servers, NamedFiles named)
    {
        Directories = directories;
        Skipped = skipped;
        Servers = servers;
        _named = named;
    }

    /// <summary>No directory at all.</summary>
    public static SymbolSearchPath None { get; } = new([], [], [], NamedFiles.None);

    /// <summary>Local directories in the order of search, each once; they need not exist.</summary>
    public ImmutableArray<string> Directories { get; }

    /// <summary>Elements that are not read from: servers and network shares that the path names, and what the grammar does not know.</summary>
    public ImmutableArray<string> Skipped { get; }

    /// <summary>True when there is no place that a file could be missing in.</summary>
    public bool IsEmpty => Directories.IsEmpty && Skipped.IsEmpty;

    /// <summary>True when there is a place or a file to look at.</summary>
    public bool HasPlaces => !IsEmpty || !_named.IsEmpty;

    /// <summary>The servers in the order of the path, each once.</summary>
    public ImmutableArray<SymbolServer> Servers { get; }

    /// <summary>Parses a path with the usual default store of this system.</summary>
    /// <param name="path">The path; null or empty for none. Elements beyond the 256th are left out.</param>
    public static SymbolSearchPath Parse(string? path) => Parse(path, DefaultSymbolStore.Directory());

    /// <summary>
    /// Parses a path in the form of <c>_NT_SYMBOL_PATH</c> (Microsoft, "Symbol path for Windows debuggers"): elements between semicolons, each a directory,
    /// <c>srv*CACHE*...*STORE</c>, <c>symsrv*DLL*CACHE*...*STORE</c> or <c>cache*DIR</c>, where a store is a directory, a share or a URL. A store that is left
    /// out is the default one; <c>srv*</c> alone adds Microsoft's public server.
    /// </summary>
    /// <param name="path">The path; null or empty for none. Elements beyond the 256th are left out.</param>
    /// <param name="defaultStore">Directory of the default store; null where there is none.</param>
    public static SymbolSearchPath Parse(string? path, string? defaultStore)
    {
        List<string> directories = [];
        List<string> skipped = [];
        List<SymbolServer> servers = [];
        string? cache = null;
        foreach (string element in (path ?? "").Split(';', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries).Take(MaxElements))
        {
            string[] parts = element.Split('*', StringSplitOptions.TrimEntries);
            if (FirstStore(parts) is not { } first)
            {
                skipped.Add(element);
                continue;
            }

            string[] stores = [.. Stores(parts, first, cache, defaultStore)];
            string? local = stores.FirstOrDefault(IsLocal);
            cache = Is(parts[0], "cache") ? local : cache;
            directories.AddRange(stores.Where(IsLocal));
            skipped.AddRange(parts.Skip(first).Where(p => p.Length > 0 && !IsLocal(p)));
            servers.AddRange(stores.Where(s => first > 0 && IsServer(s)).Select(s => new SymbolServer(s, local)));
        }

        return new SymbolSearchPath(
            [.. directories.Distinct()], [.. skipped.Distinct()], [.. servers.DistinctBy(s => s.Address)], NamedFiles.None);
    }

    /// <summary>The same path behind single files.</summary>
    /// <param name="files">Files that are looked at first.</param>
    public SymbolSearchPath With(NamedFiles files) => new(Directories, Skipped, Servers, files);

    /// <summary>
    /// Existing files that may be an image's PDB: single ones of its name, then in the order of the path: by name, then by name and key as symbol stores have
    /// them, both without regard to case. Which is the right one only its content tells.
    /// </summary>
    /// <param name="identity">Identity from the image. Only the last component of its name counts; nothing is found when that is no plain file name.</param>
    /// <param name="files">Finds files below the directories, compressed ones too.</param>
    public IEnumerable<string> Candidates(PdbIdentity identity, StoreFiles files) =>
        !FileNames.IsPlain(identity.PlainName) ? []
        : _named.Of(identity.PlainName).Where(LocalFile.IsRegular).Concat(Directories.SelectMany(d => files.Find(d, identity.PlainName, identity.StoreKey)));

    /// <summary>The stores of an element, with the default ones where it leaves them out.</summary>
    private static IEnumerable<string> Stores(string[] parts, int first, string? cache, string? defaultStore)
    {
        string[] named = [.. parts.Skip(first).Where(p => p.Length > 0)];
        if (first == 0 || named.Any(IsLocal))
        {
            return named;
        }

        if (named.Length == 0 && Is(parts[0], "srv"))
        {
            named = [DefaultSymbolStore.PublicServer];
        }

        return (cache ?? defaultStore) is { } local && (first == 1 || named.Length > 0) ? named.Prepend(local) : named;
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

    private static bool IsServer(string place) =>
        place.StartsWith("https://", StringComparison.OrdinalIgnoreCase) || place.StartsWith("http://", StringComparison.OrdinalIgnoreCase);

    // Two separators begin a share or a device name on Windows, whichever way they lean.
    private static bool IsLocal(string place) =>
        !place.Contains("://", StringComparison.Ordinal)
        && !place.Contains('\0')
        && !(place.Length >= 2 && place[0] is '/' or '\\' && place[1] is '/' or '\\');
}

/// <summary>The store that a symbol path means where it leaves one out (<c>srv*</c>, <c>srv**https://...</c>, <c>cache*</c>).</summary>
internal static class DefaultSymbolStore
{
    /// <summary>The server that <c>srv*</c> alone means to Microsoft's debuggers.</summary>
    public const string PublicServer = "https://msdl.microsoft.com/download/symbols";

    private const string Folder = "sym";

    /// <summary>
    /// The directory: <c>sym</c> in the debuggers' home directory where that is set, else the one of WinDbg (Microsoft, "Advanced SymSrv use") and, on Linux, of
    /// dotnet-symbol, dotnet-dump and SOS. Null when there is none, or it does not exist: nobody has named it, so nobody need hear of it.
    /// </summary>
    public static string? Directory() => Usual() is { } directory && System.IO.Directory.Exists(directory) ? directory : null;

    private static string? Usual() =>
        Environment.GetEnvironmentVariable(EnvironmentVariables.DebuggersHome) is { Length: > 0 } home ? Path.Combine(home, Folder)
        : OperatingSystem.IsWindows()
            ? Environment.GetFolderPath(Environment.SpecialFolder.CommonApplicationData) is { Length: > 0 } data ? Path.Combine(data, "Dbg", Folder) : null
        : Environment.GetEnvironmentVariable(EnvironmentVariables.Home) is { Length: > 0 } user ? Path.Combine(user, ".dotnet", "symbolcache") : null;
}

/// <summary>A server of a symbol path. The reading of dumps never asks it.</summary>
/// <param name="Address">Its address as the path has it, for example <c>https://symbols.example/download</c>.</param>
/// <param name="Cache">Local directory that debuggers put its files into; null when the path names none and the system has no usual one.</param>
public sealed record SymbolServer(string Address, string? Cache);
