using Dump.Model.Text;

namespace Dump.Capture.Proc;

/// <summary>
/// The control group that keeps a process frozen, as <c>docker pause</c> and batch systems do: its threads do nothing, in no call that would show it
/// (cgroups(7), "freezer"; Documentation/admin-guide/cgroup-v2.rst, "cgroup.freeze").
/// </summary>
/// <param name="Directory">The directory of the group, sanitised.</param>
/// <param name="Thaw">The command that thaws it.</param>
internal sealed record FrozenGroup(string Directory, string Thaw)
{
    private const int MountFields = 5;
    private const int LongestPath = 512;

    /// <summary>The group that keeps a process frozen; null when none does, or when this program does not see its groups.</summary>
    /// <param name="process">Process id.</param>
    public static FrozenGroup? Of(int process) =>
        Of(ProcFile.Text($"/proc/{process}/cgroup") ?? "", ProcFile.Text("/proc/self/mountinfo") ?? "", ProcFile.Text);

    /// <summary>The same from the text of those files.</summary>
    /// <param name="groups">Lines of number, controllers and path.</param>
    /// <param name="mounts">What is mounted where.</param>
    /// <param name="read">The text of a file of a group, or null.</param>
    public static FrozenGroup? Of(string groups, string mounts, Func<string, string?> read)
    {
        foreach (string[] group in groups.Split('\n').Select(l => l.Split(':', 3)).Where(g => g.Length == 3))
        {
            bool isUnified = group[1].Length == 0;
            if ((isUnified || group[1].Split(',').Contains("freezer")) && Place(mounts, isUnified, group[2]) is var (mount, path)
                && Frozen(mount, path, isUnified, read) is { } frozen)
            {
                return frozen;
            }
        }

        return null;
    }

    /// <summary>From the group upwards to the one that was frozen itself.</summary>
    private static FrozenGroup? Frozen(string mount, string path, bool isUnified, Func<string, string?> read)
    {
        bool isFrozen = isUnified ? read($"{mount}{path}/cgroup.events")?.Split('\n').Contains("frozen 1") == true
            : read($"{mount}{path}/freezer.state")?.TrimEnd() is "FROZEN" or "FREEZING";
        if (!isFrozen)
        {
            return null;
        }

        string self = isUnified ? "cgroup.freeze" : "freezer.self_freezing", group = path;
        while (group.Length > 0 && read($"{mount}{group}/{self}")?.TrimEnd() != "1")
        {
            group = group[..group.LastIndexOf('/')];
        }

        string directory = SafeText.Clean(mount + (group.Length > 0 ? group : path), LongestPath);
        return new FrozenGroup(directory, isUnified ? $"echo 0 > {directory}/cgroup.freeze" : $"echo THAWED > {directory}/freezer.state");
    }

    /// <summary>Where a hierarchy is mounted, and the path of a group from there on; null when it is not seen here.</summary>
    private static (string Mount, string Path)? Place(string mounts, bool isUnified, string path)
    {
        foreach (string[] halves in mounts.Split('\n').Select(l => l.Split(" - ", 2)).Where(h => h.Length == 2))
        {
            string[] mount = halves[0].Split(' '), system = halves[1].Split(' ');
            bool isIt = mount.Length >= MountFields && system[0] == (isUnified ? "cgroup2" : "cgroup") && (isUnified || system[^1].Split(',').Contains("freezer"));
            string root = isIt ? mount[3].TrimEnd('/') : "";
            if (isIt && (path == root || path.StartsWith(root + '/', StringComparison.Ordinal)) && !path.Split('/').Contains(".."))
            {
                return (mount[4], path[root.Length..].TrimEnd('/'));
            }
        }

        return null;
    }
}
