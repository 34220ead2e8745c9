using System.Globalization;
using System.Runtime.Versioning;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Waits;

namespace Dump.Capture.Proc;

/// <summary>The child processes for whose end the threads of a process wait, as <c>/proc</c> tells: their names, and whether they have ended already.</summary>
[SupportedOSPlatform("linux")]
internal static class ChildProcesses
{
    private const int LongestName = 64;
    private const int MostNamed = 8;

    /// <summary>The snapshot with these as states of what its threads wait for.</summary>
    /// <param name="snapshot">What was read of the process.</param>
    /// <param name="process">Its id.</param>
    public static ProcessSnapshot Describe(ProcessSnapshot snapshot, int process)
    {
        Resource[] waited = [.. snapshot.Waits.Select(w => w.Resource).Where(r => r.Kind == ResourceKind.ChildProcess).Distinct()];
        if (waited.Length == 0)
        {
            return snapshot;
        }

        Child[] children = Of(process);
        return snapshot with
        {
            ResourceStates = snapshot.ResourceStates.SetItems(waited.Select(r => KeyValuePair.Create(r, r.Identity == 0 ? Any(children) : One(children, r)))),
        };
    }

    /// <summary>The child processes that a wait may be for.</summary>
    /// <param name="process">The process that waits.</param>
    /// <param name="awaited">The child's id as the process knows it; 0 for any child.</param>
    public static IEnumerable<Child> Awaited(int process, ulong awaited) => Of(process).Where(c => awaited == 0 || c.OwnId == awaited);

    /// <summary>A process in words, with what it does: <c>'sleep'</c>, <c>'sh', which has ended</c>.</summary>
    public static string Words(TaskStat stat) => SafeText.Quote(SafeText.Clean(stat.Name, LongestName)) + stat.State switch
    {
        'Z' or 'X' => ", which has ended",
        'T' or 't' => ", which is stopped",
        'R' => ", which runs",
        'D' => ", which is in a system call that nothing interrupts",
        _ => "",
    };

    /// <summary>All child processes of a process, those that have ended and wait to be taken note of too.</summary>
    /// <param name="process">Their parent.</param>
    public static Child[] Of(int process) =>
    [
        .. ProcFile.ProcessIds().Select(id => (Id: id, Stat: TaskStat.Parse(ProcFile.Text($"/proc/{id}/stat"))))
            .Where(p => p.Stat?.Parent == process)
            .Select(p => new Child(p.Id, ProcFile.Text($"/proc/{p.Id}/status") is { } status && ProcTaskStatus.Parse(status).OwnId is { } own ? own : (uint)p.Id,
                p.Stat!)),
    ];

    /// <summary>The child processes of a process and theirs, parents before their children.</summary>
    /// <param name="process">The first parent.</param>
    /// <param name="most">How many at most.</param>
    public static IReadOnlyList<Descendant> Below(int process, int most)
    {
        ILookup<int, (int Id, TaskStat Stat)> byParent = ProcFile.ProcessIds().Select(id => (Id: id, Stat: TaskStat.Parse(ProcFile.Text($"/proc/{id}/stat"))!))
            .Where(p => p.Stat is not null).ToLookup(p => p.Stat.Parent);
        List<Descendant> below = [.. byParent[process].Select(p => new Descendant(p.Id, p.Stat, null)).Take(most)];

        // An id that was given again while the list was read could make a parent its own descendant.
        HashSet<int> known = [process, .. below.Select(d => d.Id)];
        for (int i = 0; i < below.Count; i++)
        {
            Descendant parent = below[i];
            below.AddRange(byParent[parent.Id].Where(p => known.Add(p.Id)).Take(most - below.Count)
                .Select(p => new Descendant(p.Id, p.Stat, parent.Child ?? parent)));
        }

        return below;
    }

    private static string One(Child[] children, Resource resource) =>
        children.FirstOrDefault(c => c.OwnId == resource.Identity) is { } child ? Words(child.Stat) : "no child process of this one has that id";

    private static string Any(Child[] children) => children.Length == 0 ? "any; it has none"
        : "any of " + string.Join(" and ", children.Take(MostNamed).Select(c => string.Create(CultureInfo.InvariantCulture, $"{c.Id} {Words(c.Stat)}")))
            + (children.Length > MostNamed ? string.Create(CultureInfo.InvariantCulture, $" and {children.Length - MostNamed} more") : "");

    /// <summary>A child process.</summary>
    /// <param name="Id">Its id here.</param>
    /// <param name="OwnId">Its id as it knows it itself, and its parent in the same container does.</param>
    /// <param name="Stat">What the system says of it.</param>
    internal sealed record Child(int Id, uint OwnId, TaskStat Stat);

    /// <summary>A child process, or one of its.</summary>
    /// <param name="Id">Its id here.</param>
    /// <param name="Stat">What the system says of it.</param>
    /// <param name="Child">The child below which it is; null for a child.</param>
    internal sealed record Descendant(int Id, TaskStat Stat, Descendant? Child);
}
