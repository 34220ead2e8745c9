using Dump.Readers.Files;

namespace Dump.Readers.Stores;

/// <summary>
/// Where the files lie that a process names: on this machine, below the root that the process sees, or on the drives of a Wine prefix. Whichever it is, only
/// regular files of this machine are found, and they may be read as data, never run.
/// </summary>
public sealed class ProcessFiles
{
    private const int FirstOfPath = 3;
    private readonly string? _root;
    private readonly string? _prefix;

    private ProcessFiles(string? root, string? prefix, FileOwners? owners = null)
    {
        Owners = owners;
        _root = root;
        _prefix = prefix;
    }

    /// <summary>Paths are those of this program.</summary>
    public static ProcessFiles Here { get; } = new(null, null);

    /// <summary>Paths begin below a directory.</summary>
    /// <param name="root">The root of the process' file system, for example <c>/proc/1/root</c>.</param>
    public static ProcessFiles Below(string root) => new(root, null);

    /// <summary>Paths with a drive lead to where Wine has that drive, in <c>dosdevices</c> of a prefix; others are those of this program.</summary>
    /// <param name="prefix">Directory of the prefix; null for none.</param>
    public static ProcessFiles OfWine(string? prefix) => new(null, prefix);

    /// <summary>Whose files are opened where only the process names them; null for everybody's.</summary>
    internal FileOwners? Owners { get; }

    /// <summary>The same places, of which only files of some users are opened.</summary>
    /// <param name="owners">The users; null for everybody.</param>
    public ProcessFiles Of(FileOwners? owners) => new(_root, _prefix, owners);

    /// <summary>Where a regular, not empty file is that the process names by its whole path; null when there is none, or it is not of this machine.</summary>
    /// <param name="path">Any text.</param>
    internal string? Existing(string path) => _prefix is not null && DriveOf(path) is { } drive
        ? OnDrive(drive, path) is { } place ? LocalFile.Existing(place, null) : null
        : LocalFile.Existing(path, _root);

    private static char? DriveOf(string path) =>
        path.Length > FirstOfPath && char.IsAsciiLetter(path[0]) && path[1] == ':' && path[2] is '\\' or '/' ? char.ToLowerInvariant(path[0]) : null;

    /// <summary>The path as this system spells it; null where the prefix has no such drive, or the path leads elsewhere than it says.</summary>
    private string? OnDrive(char drive, string path)
    {
        string[] parts = path[FirstOfPath..].Split('\\', '/');
        if (Array.Exists(parts, p => p.Length == 0 || p is "." or ".." || p.Contains(':') || p.Contains('\0')))
        {
            return null;
        }

        try
        {
            return Directory.ResolveLinkTarget(Path.Combine(_prefix!, "dosdevices", $"{drive}:"), returnFinalTarget: true) is { Exists: true } root
                ? Path.GetFullPath(Path.Combine([root.FullName, .. parts]))
                : null;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            return null;
        }
    }
}
