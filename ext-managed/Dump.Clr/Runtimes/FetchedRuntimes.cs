using Dump.Model.Contract;
using Dump.Model.Text;
using Dump.Readers.Files;

namespace Dump.Clr.Runtimes;

/// <summary>
/// Runtimes that were fetched and verified, each in a directory of this user alone with the hashes of its files. A directory that somebody else owns or may
/// write to does not count, nor does one in which a file has changed: code is loaded from it.
/// </summary>
public static class FetchedRuntimes
{
    private const string Program = "dumpanalyze";
    private const string Folder = "runtimes";
    private const string HashList = "SHA256SUMS";
    private const long LargestList = 4096;

    /// <summary>Where they lie: <c>dumpanalyze/runtimes</c> in the user's cache. Null when the user has no directory for such files.</summary>
    public static string? Root => CacheHome() is { } cache ? Path.Combine(cache, Program, Folder) : null;

    /// <summary>The directory of a runtime whose files are those that were fetched; null when there is none.</summary>
    /// <param name="key">Its name: <see cref="WantedRuntime.Key"/>.</param>
    public static string? Find(string key) =>
        Root is { } root && Path.Combine(root, key) is var directory && Directory.Exists(directory) && IsOwn(root) && IsOwn(directory) && IsWhole(directory)
            ? directory : null;

    /// <summary>Makes a private directory beside the others, to be filled and then kept or removed.</summary>
    /// <exception cref="IOException">The cache cannot be written, or is not this user's own.</exception>
    public static string Begin()
    {
        string root = Root ?? throw new IOException("there is no directory for cached files (neither XDG_CACHE_HOME nor a home directory)");
        string directory = Path.Combine(root, $".{Path.GetRandomFileName()}");
        PrivateFolder.Make(root);
        if (!IsOwn(root))
        {
            throw new IOException($"{root} is not this user's own, or others may write to it");
        }

        PrivateFolder.Make(directory);
        return directory;
    }

    /// <summary>Keeps a filled directory.</summary>
    /// <param name="directory">What <see cref="Begin"/> made.</param>
    /// <param name="key">Its name from now on. What was there before under that name goes.</param>
    /// <returns>Where it lies now.</returns>
    /// <exception cref="IOException">The cache cannot be written.</exception>
    public static string Keep(string directory, string key)
    {
        string[] lines = [.. Directory.EnumerateFiles(directory).Order(StringComparer.Ordinal).Select(Line)];
        File.WriteAllLines(Path.Combine(directory, HashList), lines);
        string target = Path.Combine(Path.GetDirectoryName(directory)!, key);
        if (Directory.Exists(target))
        {
            Directory.Delete(target, recursive: true);
        }

        Directory.Move(directory, target);
        return target;
    }

    private static string? CacheHome()
    {
        if (OperatingSystem.IsWindows())
        {
            return Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData) is { Length: > 0 } local ? local : null;
        }

        return Environment.GetEnvironmentVariable(EnvironmentVariables.CacheHome) is { Length: > 0 } cache && Path.IsPathRooted(cache) ? cache
            : Environment.GetEnvironmentVariable(EnvironmentVariables.Home) is { Length: > 0 } home && Path.IsPathRooted(home) ? Path.Combine(home, ".cache")
            : null;
    }

    private static bool IsOwn(string directory) =>
        OperatingSystem.IsWindows() ? new DirectoryInfo(directory).LinkTarget is null
        : OperatingSystem.IsLinux() && CodeFile.IsThisUsersAlone(directory);

    /// <summary>True when the directory has exactly the files of its list, and each has its hash.</summary>
    private static bool IsWhole(string directory)
    {
        try
        {
            string list = Path.Combine(directory, HashList);
            return new FileInfo(list) is { Length: > 0 and < LargestList }
                && File.ReadAllLines(list) is var lines
                && lines.SequenceEqual(Directory.EnumerateFiles(directory).Where(f => f != list).Order(StringComparer.Ordinal).Select(Line));
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    // As sha256sum prints and checks them.
    private static string Line(string file)
    {
        using FileStream stream = RegularFile.OpenRead(file);
        return $"{Convert.ToHexStringLower(Sha256.HashData(stream))}  {Path.GetFileName(file)}";
    }
}
