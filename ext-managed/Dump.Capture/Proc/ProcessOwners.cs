using System.Globalization;
using Dump.Readers.Files;

namespace Dump.Capture.Proc;

/// <summary>Whose files are opened where a living Linux process names them.</summary>
public static class ProcessOwners
{
    /// <summary>
    /// Those of root, of this user, of the users that the process runs as, and of the user whom the root of its user namespace is (user_namespaces(7)): the
    /// files of a container's image are his.
    /// </summary>
    /// <param name="process">Id of the process; of one that has ended only root and this user count.</param>
    /// <returns>The users; null on Windows.</returns>
    public static FileOwners? Of(int process)
    {
        ProcTaskStatus status = ProcTaskStatus.Parse(ProcFile.Text($"/proc/{process}/status") ?? "");

        // Seen from within the same namespace the map names users of the one around it, which are other ones here.
        bool isElsewhere = ProcFile.Link($"/proc/{process}/ns/user") is { } theirs && ProcFile.Link("/proc/self/ns/user") is { } own && theirs != own;
        uint? root = isElsewhere ? MappedRoot(ProcFile.Text($"/proc/{process}/uid_map") ?? "") : null;
        return FileOwners.With([.. status.UserIds.Where(u => u != uint.MaxValue), .. root is { } user ? [user] : (uint[])[]]);
    }

    /// <summary>The user outside whom the user 0 inside is, of the lines "first inside, first outside, how many"; null when nobody is.</summary>
    internal static uint? MappedRoot(string map) => map.Split('\n')
        .Select(line => line.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)
            .Select(w => uint.TryParse(w, NumberStyles.None, CultureInfo.InvariantCulture, out uint number) ? number : (uint?)null).ToArray())
        .Where(n => n is [0, not null, > 0]).Select(n => n[1]).FirstOrDefault();
}
