using System.Globalization;

namespace Dump.Capture.Proc;

/// <summary>
/// Locks of files by the text of <c>/proc/locks</c> (proc_locks(5)), a line each. Those that wait, with an arrow, are of no use: a process that is stopped does
/// not stand among them.
/// </summary>
internal static class FileLocks
{
    private const int MostLines = 100_000;
    private const int WordsOfLock = 8;

    /// <summary>The processes that hold locks of a file, of the family that a call waits for; empty where none is known.</summary>
    /// <param name="text">The file's text.</param>
    /// <param name="isWhole">True for locks of <c>flock</c>, false for those of <c>fcntl</c>: neither waits for the other.</param>
    /// <param name="file">Device and inode as that file writes them, or null when unknown.</param>
    public static uint[] HoldersOf(string text, bool isWhole, string? file) => file is null ? [] :
    [
        .. text.Split('\n').Take(MostLines).Select(l => l.Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .Where(w => w.Length == WordsOfLock && w[1] == "FLOCK" == isWhole && w[^3] == file)
            .Select(w => uint.TryParse(w[^4], NumberStyles.None, CultureInfo.InvariantCulture, out uint process) ? process : 0).Where(p => p != 0)
            .Distinct().Order(),
    ];

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
