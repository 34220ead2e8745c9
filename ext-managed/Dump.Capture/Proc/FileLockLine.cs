using System.Globalization;
using Dump.Readers.Linux.Waits;

namespace Dump.Capture.Proc;

/// <summary>A lock of a file, held or waited for, as a line of <c>/proc/locks</c> or of <c>/proc/PID/fdinfo/FD</c> tells it (proc_locks(5)).</summary>
/// <param name="Group">Its number: those who wait for a lock have its number, behind it.</param>
/// <param name="IsWaiting">True for one that is waited for. One of a thread that is stopped meanwhile is not listed.</param>
/// <param name="Kind">Its family.</param>
/// <param name="IsShared">True for one that others may share.</param>
/// <param name="Process">The process that took it, which may have ended since; null where the system names none, as of all locks of open files.</param>
/// <param name="File">Device and inode of the file.</param>
/// <param name="First">Its first byte.</param>
/// <param name="Last">Its last byte; <see cref="long.MaxValue"/> for the end of the file.</param>
internal sealed record FileLockLine(string Group, bool IsWaiting, FileLockKind Kind, bool IsShared, uint? Process, string File, long First, long Last)
{
    private const int MostLines = 100_000;
    private const int WordsOfLock = 8;
    private const string Arrow = "->";
    private const string DescriptorPrefix = "lock:\t";

    /// <summary>The locks of a text; lines of another form, and leases, are none.</summary>
    /// <param name="text">The text of the file.</param>
    public static FileLockLine[] Parse(string text) =>
        [.. text.Split('\n').Take(MostLines).Select(One).OfType<FileLockLine>()];

    private static FileLockLine? One(string line)
    {
        string[] words = (line.StartsWith(DescriptorPrefix, StringComparison.Ordinal) ? line[DescriptorPrefix.Length..] : line)
            .Split(' ', StringSplitOptions.RemoveEmptyEntries);
        bool waits = words.Length == WordsOfLock + 1 && words[1] == Arrow;
        if (!(waits || words.Length == WordsOfLock))
        {
            return null;
        }

        ReadOnlySpan<string> fields = words.AsSpan(waits ? 2 : 1);
        FileLockKind? kind = fields[0] switch
        {
            "FLOCK" => FileLockKind.Whole,
            "POSIX" => FileLockKind.Process,
            "OFDLCK" => FileLockKind.OpenFile,
            _ => null,
        };
        return kind is { } known && fields[2] is "READ" or "WRITE" && long.TryParse(fields[5], NumberStyles.None, CultureInfo.InvariantCulture, out long first)
            && ByteOf(fields[6]) is { } last
            ? new FileLockLine(words[0], waits, known, fields[2] == "READ",
                uint.TryParse(fields[3], NumberStyles.None, CultureInfo.InvariantCulture, out uint process) && process != 0 ? process : null, fields[4], first,
                last)
            : null;
    }

    private static long? ByteOf(string text) => text == "EOF" ? long.MaxValue
        : long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out long last) ? last : null;
}
