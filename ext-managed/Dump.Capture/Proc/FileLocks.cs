using System.Globalization;
using Dump.Readers.Linux.Waits;

namespace Dump.Capture.Proc;

/// <summary>
/// Locks of files as <c>/proc</c> tells them. Waits of the process that is looked at are of no use: while it is stopped they are not listed.
/// </summary>
internal static class FileLocks
{
    /// <summary>The locks that keep a wanted one from being given.</summary>
    /// <param name="lines">All locks that are known.</param>
    /// <param name="wanted">The wanted one.</param>
    /// <param name="file">Device and inode as the locks write them, or null when unknown.</param>
    /// <param name="process">The process that wants it: its own locks of <c>fcntl</c> are no hindrance to others of them.</param>
    public static FileLockLine[] Before(IEnumerable<FileLockLine> lines, WantedFileLock wanted, string? file, uint process) => file is null ? [] :
    [
        .. lines.Where(l => !l.IsWaiting && l.File == file && Conflict(l.Kind, wanted.Kind) && !(l.IsShared && wanted.IsShared == true)
            && !(l.Kind == FileLockKind.Process && wanted.Kind == FileLockKind.Process && l.Process == process)
            && (wanted.Kind == FileLockKind.Whole || wanted.Bytes is not { } bytes || (l.First <= bytes.Last && l.Last >= bytes.First))),
    ];

    /// <summary>True when a process waits for a lock that another one holds.</summary>
    /// <param name="lines">All locks that are known.</param>
    /// <param name="waiting">The one that waits.</param>
    /// <param name="holding">The one that holds.</param>
    public static bool Waits(IReadOnlyCollection<FileLockLine> lines, uint waiting, uint holding) => lines.Any(
        w => w.IsWaiting && w.Process == waiting && lines.Any(h => !h.IsWaiting && h.Group == w.Group && h.Process == holding));

    private static bool Conflict(FileLockKind one, FileLockKind other) => (one == FileLockKind.Whole) == (other == FileLockKind.Whole);

    /// <summary>The file of a descriptor as <c>/proc/locks</c> writes it, or null when it cannot be told (before Linux 5.14).</summary>
    /// <param name="information">Text of <c>/proc/PID/fdinfo/FD</c>: the lines <c>mnt_id</c> and <c>ino</c>.</param>
    /// <param name="mounts">Text of <c>/proc/PID/mountinfo</c>: a mount's id, its parent's, its device.</param>
    public static string? FileOf(string? information, string? mounts)
    {
        string? Field(string name) => information?.Split('\n').FirstOrDefault(l => l.StartsWith(name, StringComparison.Ordinal))?[name.Length..].Trim();
        string? device = Field("mnt_id:") is { Length: > 0 } mount
            ? mounts?.Split('\n').FirstOrDefault(l => l.StartsWith(mount + " ", StringComparison.Ordinal))?.Split(' ') is [_, _, var number, ..] ? number : null
            : null;
        return Field("ino:") is { Length: > 0 } inode && device?.Split(':') is [var major, var minor]
            && uint.TryParse(major, NumberStyles.None, CultureInfo.InvariantCulture, out uint first)
            && uint.TryParse(minor, NumberStyles.None, CultureInfo.InvariantCulture, out uint second)
            ? $"{first:x2}:{second:x2}:{inode}"
            : null;
    }
}
