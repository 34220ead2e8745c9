using System.Collections.Immutable;
using System.Globalization;
using System.Runtime.Versioning;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Waits;
using Dump.Readers.Linux.Waits;

namespace Dump.Capture.Proc;

/// <summary>What the file descriptors are that threads wait for, and who holds the locks of files, as <c>/proc</c> tells (proc(5)).</summary>
[SupportedOSPlatform("linux")]
internal static class OpenFiles
{
    private const int LongestName = 200;
    private const int MostWaits = 1_000;
    private const string ProcessDescriptor = "anon_inode:[pidfd]";

    /// <summary>The snapshot with these as states of what its threads wait for.</summary>
    /// <param name="snapshot">What was read of the process.</param>
    /// <param name="wantedLocks">The locks of files that its threads wait for.</param>
    /// <param name="process">Its id.</param>
    public static ProcessSnapshot Describe(ProcessSnapshot snapshot, ImmutableArray<WantedFileLock> wantedLocks, int process)
    {
        Resource[] waited =
        [
            .. snapshot.Waits.Select(w => w.Resource).Where(r => r.Kind is ResourceKind.FileDescriptor or ResourceKind.FileLock).Distinct().Take(MostWaits),
        ];
        if (waited.Length == 0)
        {
            return snapshot;
        }

        ImmutableDictionary<Resource, string>.Builder states = snapshot.ResourceStates.ToBuilder();
        Lazy<PipeEnds> pipes = new(() => new PipeEnds(process));
        Lazy<OpenDescriptors> descriptors = new(() => new OpenDescriptors(process));
        Lazy<SocketEnds> sockets = new(() => new SocketEnds(descriptors.Value));
        Lazy<FileLockHolders> holders = new(() => new FileLockHolders(process));
        foreach (Resource resource in waited)
        {
            string file = ProcFile.Link($"/proc/{process}/fd/{resource.Identity}") is { } link ? SafeText.Clean(link, LongestName) : "not open";
            states[resource] = resource.Kind == ResourceKind.FileLock
                ? $"{file}; {(wantedLocks.Where(l => l.Descriptor == resource.Identity).ToArray() is { Length: > 0 } wanted
                    ? holders.Value.Of(wanted) : "who holds it is unknown")}"
                : PipeEnds.IsPipe(file) ? file + pipes.Value.OthersOf(file, resource.Identity)
                : OpenDescriptors.SocketOf(file) is not null ? file + sockets.Value.Describe(file)
                : file == ProcessDescriptor && ProcessOf(process, resource.Identity) is { } other ? $"{file} of {other}"
                : file + EventCounter.Describe(descriptors, (int)resource.Identity, file);
        }

        return snapshot with { ResourceStates = states.ToImmutable() };
    }

    /// <summary>The process that a descriptor of one stands for (pidfd_open(2)), or null when the system does not tell.</summary>
    private static string? ProcessOf(int process, ulong descriptor)
    {
        const string Field = "Pid:";
        return ProcFile.Text($"/proc/{process}/fdinfo/{descriptor}")?.Split('\n').FirstOrDefault(l => l.StartsWith(Field, StringComparison.Ordinal)) is { } line
            && int.TryParse(line[Field.Length..].Trim(), NumberStyles.None, CultureInfo.InvariantCulture, out int id)
            ? string.Create(CultureInfo.InvariantCulture, $"process {id}")
                + (TaskStat.Parse(ProcFile.Text($"/proc/{id}/stat")) is { } stat ? $" {ChildProcesses.Words(stat)}" : "")
            : null;
    }
}
