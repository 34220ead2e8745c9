using System.Globalization;

namespace Dump.Capture.Proc;

/// <summary>
/// Locks of files by the text of <c>/proc/locks</c> (proc_locks(5)): a line for each lock, and behind it, with the same number and an arrow, one for each
/// process that waits for it.
/// </summary>
internal static class FileLocks
{
    private const int MostLines = 100_000;
    private const int WordsOfLock = 8;

    /// <summary>The processes whose locks a process waits for; empty where that cannot be told.</summary>
    /// <param name="text">The file's text.</param>
    /// <param name="waiter">The process that waits.</param>
    /// <param name="inode">The inode of the file that it waits for, or null when unknown: then only one lock that it waits for tells.</param>
    public static uint[] HoldersOf(string text, uint waiter, ulong? inode)
    {
        Dictionary<string, (uint Process, string File)> locks = [];
        List<(uint Holder, string File)> found = [];
        foreach (string line in text.Split('\n').Take(MostLines))
        {
            string[] words = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
            bool waits = words.Length == WordsOfLock + 1 && words[1] == "->";
            if ((!waits && words.Length != WordsOfLock) || !uint.TryParse(words[^4], NumberStyles.None, CultureInfo.InvariantCulture, out uint process))
            {
                continue;
            }

            string file = words[^3];
            if (!waits)
            {
                locks[words[0]] = (process, file);
            }
            else if (process == waiter && locks.TryGetValue(words[0], out (uint Process, string File) held) && held.File == file
                && (inode is null || file.EndsWith($":{inode}", StringComparison.Ordinal)))
            {
                found.Add((held.Process, file));
            }
        }

        return found.Select(f => f.File).Distinct().Count() == 1 ? [.. found.Select(f => f.Holder).Distinct().Order()] : [];
    }
}
