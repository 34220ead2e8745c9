using System.Collections.Concurrent;
using System.Collections.Immutable;
using Dump.Model.Process;
using Dump.Model.Text;

namespace Dump.Readers.Files;

/// <summary>
/// The users whose files are opened where a dump or a process names them: root, the user who runs this program, and the owner of the dump's file or of the
/// process. A name in a core is whatever a stranger wrote there, and a reader with more rights than he has would read for him what others keep to themselves.
/// Files that were refused are remembered. Safe for concurrent use.
/// </summary>
public sealed class FileOwners
{
    private const int MostRemembered = 1_000;
    private const int MostListed = 3;
    private const int LongestPath = 256;
    private readonly ImmutableHashSet<uint> _users;
    private readonly ConcurrentDictionary<string, uint> _refused = new(StringComparer.Ordinal);

    private FileOwners(ImmutableHashSet<uint> users) => _users = users;

    /// <summary>Root, the user who runs this program, and others.</summary>
    /// <param name="others">User ids, as this program sees them: of the dump's file, of the process, of the root of its user namespace.</param>
    /// <returns>The users; null on Windows, where files that a dump names are found by other rules.</returns>
    public static FileOwners? With(params IEnumerable<uint> others) => OperatingSystem.IsLinux() ? new([0, FileStatus.EffectiveUser, .. others]) : null;

    /// <summary>What was refused, as one line; null when nothing was.</summary>
    public ReaderProblem? Problem
    {
        get
        {
            KeyValuePair<string, uint>[] refused = [.. _refused.OrderBy(r => r.Key, StringComparer.Ordinal)];
            string[] listed = [.. refused.Take(MostListed).Select(r => $"{SafeText.Clean(r.Key, LongestPath)} (user {r.Value})")];
            return refused.Length == 0 ? null : new ReaderProblem("files",
                $"not opened, because another user owns {(refused.Length == 1 ? "it" : "them")}: {string.Join(", ", listed)}"
                    + $"{(refused.Length > listed.Length ? $" and {refused.Length - listed.Length} more" : "")}"
                    + "; --images DIR names a folder to take such files from")
            {
                LosesFacts = false,
            };
        }
    }

    /// <summary>True when a file may be opened; one that may not is remembered.</summary>
    /// <param name="path">Its path, as it was asked for.</param>
    /// <param name="user">Its owner, of the very file that would be opened.</param>
    internal bool Take(string path, uint user)
    {
        bool isTheirs = _users.Contains(user);
        if (!isTheirs && _refused.Count < MostRemembered)
        {
            _refused.TryAdd(path, user);
        }

        return isTheirs;
    }
}
