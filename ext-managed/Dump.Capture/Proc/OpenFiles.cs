using System.Collections.Immutable;
using System.Runtime.Versioning;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Waits;

namespace Dump.Capture.Proc;

/// <summary>What the file descriptors are that threads wait for, and who holds the locks of files, as <c>/proc</c> tells (proc(5)).</summary>
[SupportedOSPlatform("linux")]
internal static class OpenFiles
{
    private const int LongestName = 200;
    private const int MostWaits = 1_000;
    private const int MostHolders = 8;

    /// <summary>The snapshot with these as states of what its threads wait for.</summary>
    /// <param name="snapshot">What was read of the process.</param>
    /// <param name="process">Its id.</param>
    public static ProcessSnapshot Describe(ProcessSnapshot snapshot, int process)
    {
        Resource[] waited =
        [
            .. snapshot.Waits.Select(w => w.Resource).Where(r => r.Kind is ResourceKind.FileDescriptor or ResourceKind.FileLock).Distinct().Take(MostWaits),
        ];
        if (waited.Length == 0)
        {
            return snapshot;
        }

        string locks = waited.Any(r => r.Kind == ResourceKind.FileLock) ? ProcFile.Text("/proc/locks") ?? "" : "";
        ImmutableDictionary<Resource, string>.Builder states = snapshot.ResourceStates.ToBuilder();
        Lazy<PipeEnds> pipes = new(() => new PipeEnds(process));
        foreach (Resource resource in waited)
        {
            string file = ProcFile.Link($"/proc/{process}/fd/{resource.Identity}") is { } link ? SafeText.Clean(link, LongestName) : "not open";
            states[resource] = resource.Kind == ResourceKind.FileLock
                ? $"{file}; {Holder(locks, process, resource.Identity, IsWhole(snapshot, resource))}"
                : PipeEnds.IsPipe(file) ? file + pipes.Value.OthersOf(file, resource.Identity)
                : file;
        }

        return snapshot with { ResourceStates = states.ToImmutable() };
    }

    private static bool IsWhole(ProcessSnapshot snapshot, Resource resource) =>
        snapshot.Waits.First(w => w.Resource == resource) is var wait && snapshot.Thread(wait.ThreadId)?.Activity.SystemCall == "flock";

    private static string Holder(string locks, int process, ulong descriptor, bool isWhole)
    {
        string? file = FileLocks.FileOf(ProcFile.Text($"/proc/{process}/fdinfo/{descriptor}"), ProcFile.Text($"/proc/{process}/mountinfo"));
        uint[] holders = FileLocks.HoldersOf(locks, isWhole, file);
        return holders.Length == 0 ? "who holds it is unknown"
            : $"held by {string.Join(" and ", holders.Take(MostHolders).Select(h => h == process ? "this process itself" : Named(h)))}";
    }

    private static string Named(uint process) =>
        ProcFile.Text($"/proc/{process}/comm") is { } name ? $"process {process} {SafeText.Quote(SafeText.Clean(name.TrimEnd('\n'), LongestName))}"
            : $"process {process}";
}
