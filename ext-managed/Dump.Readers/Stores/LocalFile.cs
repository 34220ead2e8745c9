namespace Dump.Readers.Stores;

/// <summary>
/// Files whose paths a dump names. They may be read as data, when their ids say that they belong to it; but only regular files of this machine: opening a share
/// hands out the user's credentials, and a pipe or device never ends.
/// </summary>
internal static class LocalFile
{
    // Where names reach other machines (autofs), devices and kernels.
    private static readonly string[] s_elsewhere = ["/net/", "/dev/", "/proc/", "/sys/"];

    /// <summary>Where a regular, not empty file is that a process names by its whole path; null when there is none, or it is not of this machine.</summary>
    /// <param name="path">Any text.</param>
    /// <param name="root">Where the root of the process' file system is; null for that of this program.</param>
    public static string? Existing(string path, string? root)
    {
        try
        {
            string place = root + path;
            return IsLocal(path) && IsRegular(place)
                && (root is not null || File.ResolveLinkTarget(place, returnFinalTarget: true) is not { } target || IsLocal(target.FullName))
                ? place
                : null;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            return null;
        }
    }

    /// <summary>True for a regular file that has content: pipes, sockets and devices have no length, and their opening may never return.</summary>
    /// <param name="path">A path that the user names.</param>
    public static bool IsRegular(string path)
    {
        try
        {
            return (File.ResolveLinkTarget(path, returnFinalTarget: true) as FileInfo ?? new FileInfo(path)).Length > 0;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            return false;
        }
    }

    private static bool IsLocal(string path)
    {
        if (path.Length == 0 || path.Contains('\0') || !Path.IsPathFullyQualified(path) || path is ['/' or '\\', '/' or '\\', ..])
        {
            return false;
        }

        return OperatingSystem.IsWindows()
            ? path.LastIndexOf(':') == 1 && new DriveInfo(path[..1]).DriveType is DriveType.Fixed or DriveType.Removable or DriveType.Ram or DriveType.CDRom
            : Path.GetFullPath(path) == path && !Array.Exists(s_elsewhere, e => path.StartsWith(e, StringComparison.Ordinal));
    }
}
