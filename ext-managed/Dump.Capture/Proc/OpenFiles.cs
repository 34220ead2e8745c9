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
        HashSet<Resource> pipesHere = [], within = [];
        List<CrossedProcess> crossed = [];
        Lazy<PipeEnds> pipes = new(() => new PipeEnds(process));
        Lazy<OpenDescriptors> descriptors = new(() => new OpenDescriptors(process));
        Lazy<SocketEnds> sockets = new(() => new SocketEnds(descriptors.Value));
        Lazy<FileLockHolders> holders = new(() => new FileLockHolders(process));
        foreach (Resource resource in waited)
        {
            string file = ProcFile.Link($"/proc/{process}/fd/{resource.Identity}") is { } link ? SafeText.Clean(link, LongestName) : "not open";
            WantedFileLock[] wanted = resource.Kind == ResourceKind.FileLock ? [.. wantedLocks.Where(l => l.Descriptor == resource.Identity)] : [];
            if (resource.Kind == ResourceKind.FileDescriptor && PipeEnds.IsPipe(file))
            {
                pipesHere.Add(resource);
                if (pipes.Value.HasAllOthers(file, resource.Identity))
                {
                    within.Add(resource);
                }
            }

            if (wanted.Length > 0)
            {
                crossed.AddRange(holders.Value.Crossed(wanted).Select(c => new CrossedProcess(resource, c.Name, c.IsAlone)));
                if (holders.Value.IsOwn(wanted))
                {
                    within.Add(resource);
                }
            }

            states[resource] = resource.Kind == ResourceKind.FileLock
                ? $"{file}; {(wanted.Length > 0 ? holders.Value.Of(wanted) : "who holds it is unknown")}"
                : PipeEnds.IsPipe(file) ? file + pipes.Value.OthersOf(file, resource.Identity)
                : OpenDescriptors.SocketOf(file) is not null ? file + sockets.Value.Describe(file)
                : file == ProcessDescriptor && ProcessOf(process, resource.Identity) is { } other ? $"{file} of {other}"
                : file + EventCounter.Describe(descriptors, (int)resource.Identity, file);
        }

        return snapshot with
        {
            ResourceStates = states.ToImmutable(),
            CrossedProcesses = [.. crossed],

            // Of sockets alone a time limit may be kept where nobody sees it.
            Waits =
            [
                .. snapshot.Waits.Select(w => !pipesHere.Contains(w.Resource) && !within.Contains(w.Resource) ? w : w with
                {
                    Timeout = w.Timeout == WaitTimeout.Unknown && pipesHere.Contains(w.Resource) ? WaitTimeout.Infinite : w.Timeout,
                    IsWithinProcess = w.IsWithinProcess || within.Contains(w.Resource),
                }),
            ],
        };
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

/// <summary>
/// The counter behind a file descriptor of <c>eventfd</c>, as <c>fdinfo</c> tells (proc_pid_fdinfo(5); Linux fs/eventfd.c, eventfd_show_fdinfo).
/// </summary>
/// <param name="Count">Its value: a read waits while it is 0.</param>
/// <param name="Identity">Its number, the same for each descriptor of it; null before Linux 5.2.</param>
internal sealed record EventCounter(ulong Count, uint? Identity)
{
    private const string File = "anon_inode:[eventfd]";

    /// <summary>What it is and who else in the process has it, as a clause; empty for another file.</summary>
    /// <param name="descriptors">What the process has open; asked for such a file only.</param>
    /// <param name="descriptor">The descriptor.</param>
    /// <param name="file">What it leads to.</param>
    public static string Describe(Lazy<OpenDescriptors> descriptors, int descriptor, string file)
    {
        if (file != File || Of(descriptors.Value.Process, descriptor) is not { } counter)
        {
            return "";
        }

        int[] same = counter.Identity is not { } identity ? []
            : [.. descriptors.Value.Files.Where(f => f.Key != descriptor && f.Value == File && Of(descriptors.Value.Process, f.Key)?.Identity == identity)
                .Select(f => f.Key).Order()];
        return string.Create(CultureInfo.InvariantCulture, $"; its count is {counter.Count}; whoever has it may add to it")
            + (same.Length == 0 ? "" : $", and this process has it as {DescriptorWords.Of(same)} too");
    }

    /// <summary>Reads the text of <c>fdinfo</c>; null when it is of no such file.</summary>
    internal static EventCounter? Parse(string? text)
    {
        Dictionary<string, string> fields = [];
        foreach (string[] line in (text ?? "").Split('\n').Select(l => l.Split(':', 2)).Where(l => l.Length == 2))
        {
            fields.TryAdd(line[0], line[1].Trim());
        }

        return ulong.TryParse(fields.GetValueOrDefault("eventfd-count"), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong count)
            ? new EventCounter(
                count, uint.TryParse(fields.GetValueOrDefault("eventfd-id"), NumberStyles.None, CultureInfo.InvariantCulture, out uint id) ? id : null)
            : null;
    }

    private static EventCounter? Of(int process, int descriptor) => Parse(ProcFile.Text($"/proc/{process}/fdinfo/{descriptor}"));
}

/// <summary>
/// Who holds the locks of files that a process' threads wait for. A lock of an open file has no process that the system would name: whether the process itself
/// has that file open, its own descriptors tell.
/// </summary>
/// <param name="process">The process.</param>
[SupportedOSPlatform("linux")]
internal sealed class FileLockHolders(int process)
{
    private const int LongestName = 200;
    private const int MostHolders = 8;
    private const int MostDescriptors = 65_536;
    private readonly FileLockLine[] _locks = FileLockLine.Parse(ProcFile.Text("/proc/locks") ?? "");
    private readonly string? _mounts = ProcFile.Text($"/proc/{process}/mountinfo");

    /// <summary>Who holds what some threads want of one descriptor, as a clause.</summary>
    /// <param name="wanted">What they want; never empty.</param>
    public string Of(IReadOnlyList<WantedFileLock> wanted)
    {
        FileLockLine[] holding = Holding(wanted);
        string[] named =
        [
            .. holding.Where(l => l.Process is not null).Select(l => (l.Kind, l.Process)).Distinct().OrderBy(l => l.Process).Take(MostHolders)
                .Select(l => Named(l.Process!.Value, l.Kind)),
            .. holding.Any(l => l.Process is null) ? [OpenFile(wanted)] : Array.Empty<string>(),
        ];
        return named.Length == 0 ? "who holds it is unknown"
            : AreKnown(wanted) ? $"held by {string.Join(" and ", named)}"
            : $"which bytes are wanted is unknown; locks of this file are held by {string.Join(" and ", named)}";
    }

    /// <summary>Holders of what a thread of the process wants that wait for a lock of the process themselves, and whether each has one thread.</summary>
    /// <param name="wanted">What is wanted; never empty.</param>
    public IEnumerable<(string Name, bool IsAlone)> Crossed(IReadOnlyList<WantedFileLock> wanted) =>
        Holding(wanted).Select(l => l.Process).OfType<uint>().Distinct().Where(p => p != process && FileLocks.Waits(_locks, p, (uint)process)).Take(MostHolders)
            .Select(p => (NameOf(p), TaskStat.Parse(ProcFile.Text($"/proc/{p}/stat")) is { Threads: 1 }));

    /// <summary>True where the process itself, and no other, holds what a thread of it wants: each of two descriptors of one file has locks of its own.</summary>
    /// <param name="wanted">What is wanted; never empty.</param>
    public bool IsOwn(IReadOnlyList<WantedFileLock> wanted)
    {
        FileLockLine[] holding = Holding(wanted);
        return holding.Length > 0 && holding.All(l => l.Process == (uint)process) && AreKnown(wanted);
    }

    private static bool AreKnown(IReadOnlyList<WantedFileLock> wanted) => wanted.All(w => w.Kind == FileLockKind.Whole || w.Bytes is not null);

    private string? FileOf(IReadOnlyList<WantedFileLock> wanted) => FileLocks.FileOf(ProcFile.Text($"/proc/{process}/fdinfo/{wanted[0].Descriptor}"), _mounts);

    private FileLockLine[] Holding(IReadOnlyList<WantedFileLock> wanted)
    {
        string? file = FileOf(wanted);
        return [.. wanted.SelectMany(w => FileLocks.Before(_locks, w, file, (uint)process)).Distinct()];
    }

    private static string NameOf(uint holder) => $"process {holder}"
        + (ProcFile.Text($"/proc/{holder}/comm") is { } name ? $" {SafeText.Quote(SafeText.Clean(name.TrimEnd('\n'), LongestName))}" : "");

    private string Named(uint holder, FileLockKind kind)
    {
        if (holder == process)
        {
            return "this process itself";
        }

        string text = $"process {holder}";
        if (ProcFile.Text($"/proc/{holder}/comm") is not { } name)
        {
            return kind == FileLockKind.Whole ? $"whoever has the file still open that {text} locked, which has ended" : text;
        }

        string waits = FileLocks.Waits(_locks, holder, (uint)process) ? ", which waits for a lock that this process holds" : "";
        return $"{text} {SafeText.Quote(SafeText.Clean(name.TrimEnd('\n'), LongestName))}{waits}";
    }

    private string OpenFile(IReadOnlyList<WantedFileLock> wanted)
    {
        string? file = FileOf(wanted);
        string[] own =
        [
            .. ProcFile.Descriptors(process, MostDescriptors).Where(d => d != wanted[0].Descriptor && HoldsOpenFileLock(d, wanted, file))
                .Take(MostHolders).Select(d => d.ToString(CultureInfo.InvariantCulture)),
        ];
        return own.Length > 0 ? $"this process itself, by file descriptor {string.Join(" and ", own)} (a lock of the open file)"
            : "an open file of another process, which /proc/locks does not name (a lock of an open file; /proc/*/fdinfo/* has it as OFDLCK where that file is "
                + "open)";
    }

    private bool HoldsOpenFileLock(int descriptor, IReadOnlyList<WantedFileLock> wanted, string? file) =>
        ProcFile.Text($"/proc/{process}/fdinfo/{descriptor}") is { } text && FileLockLine.Parse(text) is { Length: > 0 } locks
            && wanted.Any(w => FileLocks.Before(locks.Where(l => l.Kind == FileLockKind.OpenFile), w, file, (uint)process).Length > 0);
}
