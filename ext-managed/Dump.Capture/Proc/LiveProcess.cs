using Dump.Clr.Runtimes;
using Dump.Model.Text;
using Dump.Readers;
using Dump.Readers.Elf;
using Dump.Readers.ElfCore;
using Dump.Readers.Files;
using Dump.Readers.Linux;

namespace Dump.Capture.Proc;

/// <summary>A process that can be looked at: it exists, is not ours, runs 64-bit code and nobody traces it.</summary>
internal sealed class LiveProcess
{
    private const int ElfClass = 4;
    private const byte Elf64 = 2;
    private const int MostLooks = 10;
    private static readonly TimeSpan s_betweenLooks = TimeSpan.FromMilliseconds(20);
    private readonly ProcTaskStatus _status;
    private readonly TaskStat _stat;
    private readonly Lazy<bool> _holdsRuntime;

    private LiveProcess(int id, TaskStat stat, ProcTaskStatus status)
    {
        Id = id;
        Shown = HasEnded(stat) ? (int)(LivingThreadOf(id) ?? (uint)id) : id;
        _stat = stat;
        _status = status;
        _holdsRuntime = new Lazy<bool>(HoldsRuntime);
    }

    /// <summary>Process id.</summary>
    public int Id { get; }

    /// <summary>
    /// The id by which <c>/proc</c> shows its memory, program and files: its own. Once its first thread has ended (pthread_exit(3)) the system shows them under the
    /// id of another thread alone.
    /// </summary>
    public int Shown { get; }

    /// <summary>Its id as it knows it itself, which is that of its first thread; in a container another one.</summary>
    public uint OwnId => _status.OwnId ?? (uint)Id;

    /// <summary>Its name, at most 15 characters (sanitised).</summary>
    public string Name => _stat.Name;

    /// <summary>Its real user id.</summary>
    public uint UserId => _status.UserIds is [var user, ..] ? user : uint.MaxValue;

    /// <summary>Its mappings by address.</summary>
    public IReadOnlyList<MemoryMapping> Mappings(ReadLimits limits) => MemoryMapping.Parse(ProcFile.Text($"/proc/{Shown}/maps") ?? "", limits.MaxMemoryRanges);

    /// <summary>True while it is the same process and the thread that <see cref="Shown"/> names has not ended.</summary>
    public bool IsAlive => TaskStat.Parse(ProcFile.Text($"/proc/{Id}/stat")) is { } now && now.Started == _stat.Started
        && (Shown == Id ? !HasEnded(now) : TaskStat.Parse(ProcFile.Text($"/proc/{Id}/task/{Shown}/stat")) is { } shown && !HasEnded(shown));

    /// <summary>Id of a thread of a process besides its first one that has not ended, or null where all have.</summary>
    private static uint? LivingThreadOf(int id) => ProcFile.ThreadIds(id).Where(t => t != (uint)id
        && TaskStat.Parse(ProcFile.Text($"/proc/{id}/task/{t}/stat")) is { } stat && !HasEnded(stat)).Select(t => (uint?)t).FirstOrDefault();

    private static bool HasEnded(TaskStat stat) => stat.State is 'Z' or 'X';

    /// <summary>What to throw when it is no longer alive: it has ended, or its first thread has, for another program or for the others.</summary>
    public InvalidDumpException Ended() => new($"process {Id} ({Name}) {(ProcFile.Text($"/proc/{Id}/stat") is { } text && TaskStat.Parse(text) is { } now
        && now.Started == _stat.Started && (LivingThreadOf(Id) is not null || !HasEnded(now)) ? "executed another program" : "ended")} while it was being read");

    /// <summary>Finds a process and checks that it can be looked at.</summary>
    /// <exception cref="InvalidDumpException">It cannot; the message says what to do.</exception>
    public static LiveProcess Open(int id)
    {
        for (int look = 1; ; look++)
        {
            LiveProcess process = Read(id);

            // A thread that executes another program takes the id of the first one, which has ended by then: for a moment no thread seems to live.
            if (look == MostLooks || !HasEnded(process._stat))
            {
                process.Check();
                return process;
            }

            Thread.Sleep(s_betweenLooks);
        }
    }

    private static LiveProcess Read(int id)
    {
        if (TaskStat.Parse(ProcFile.Text($"/proc/{id}/stat")) is not { } stat || ProcFile.Text($"/proc/{id}/status") is not { } text)
        {
            throw new InvalidDumpException(
                $"there is no process {id} (a process of a container has another id outside of it; ps -e lists those that can be seen here)");
        }

        return new LiveProcess(id, stat, ProcTaskStatus.Parse(text));
    }

    /// <summary>
    /// The directory that it runs its .NET runtime from, as this program can reach it, and the runtime's file as it has its code mapped; null when it runs none
    /// from a library. A file of that name that it only reads is none: anybody may have written it.
    /// </summary>
    public (string Directory, FileIdentity File)? Runtime(IReadOnlyList<MemoryMapping> mappings) =>
        mappings.FirstOrDefault(IsRuntime) is { } runtime && Path.GetDirectoryName(runtime.Path) is { } directory ? (Reachable(directory), runtime.File) : null;

    /// <summary>
    /// True when it runs .NET: from a library, or from inside of its own program, as one that was published in a single file does.
    /// </summary>
    public bool RunsDotNet(IReadOnlyList<MemoryMapping> mappings) => mappings.Any(IsRuntime) || _holdsRuntime.Value;

    /// <summary>
    /// True when the files beside its runtime may be looked at as code to run: it is our own user's, sees the same files and is in the same user namespace.
    /// Whether they may run is then asked of each file (<see cref="CodeFile"/>).
    /// </summary>
    public bool MayRunItsCode()
    {
        uint own = FileStatus.EffectiveUser;
        return _status.UserIds.Length > 0 && _status.UserIds.All(u => u == own) && SharesNamespace("mnt") && SharesNamespace("user");
    }

    /// <summary>True for the code of the .NET runtime's library.</summary>
    private static bool IsRuntime(MemoryMapping mapping) => mapping.IsCode && ClrLibrary.Is(mapping.Path);

    /// <summary>
    /// True when it filters its system calls otherwise than this program's are filtered. A wait with a time limit that was interrupted goes on by the call
    /// restart_syscall, which the process never makes itself, so that a filter may lack it and end the process for it.
    /// </summary>
    public bool FiltersSystemCalls => _status.SystemCallFilters > 0
        && _status.SystemCallFilters != ProcTaskStatus.Parse(ProcFile.Text("/proc/self/status") ?? "").SystemCallFilters;

    /// <summary>A bit for each signal, from 1, for which it has a handler at this moment; null where the system does not tell.</summary>
    public ulong? CaughtSignals => ProcFile.Text($"/proc/{Id}/status") is { } now ? ProcTaskStatus.Parse(now).CaughtSignals : null;

    /// <summary>
    /// True when the system shows which program it runs. It does to whoever may trace it, while the mappings of one's own processes can be read without that.
    /// </summary>
    public bool ShowsProgram => ProcFile.Link($"/proc/{Shown}/exe") is not null;

    /// <summary>The exception for a process that the system does not let us read, with what to do.</summary>
    public InvalidDumpException NotPermitted()
    {
        // One that began to trace it after it was found: another look, or a debugger.
        if (ProcFile.Text($"/proc/{Id}/status") is { } now && ProcTaskStatus.Parse(now).Tracer is not 0 and var tracer)
        {
            return AlreadyTraced(tracer);
        }

        string scope = ProcFile.Text("/proc/sys/kernel/yama/ptrace_scope")?.Trim() ?? "0";
        ProcTaskStatus own = ProcTaskStatus.Parse(ProcFile.Text("/proc/self/status") ?? "");
        return new InvalidDumpException($"process {Id} ({Name}) may not be read: {MissingRights.Explain(_status, own, scope, SharesNamespace("user"))}");
    }

    private void Check()
    {
        string who = $"process {Id} ({Name})";
        if (_status.ThreadGroup != Id)
        {
            throw new InvalidDumpException($"{Id} is a thread of process {_status.ThreadGroup}; give that process id");
        }

        if (HasEnded(_stat) && Shown == Id)
        {
            throw new InvalidDumpException($"{who} has ended; its parent has not taken notice yet");
        }

        if (_status.Tracer != 0)
        {
            throw AlreadyTraced(_status.Tracer);
        }

        if ((Shown == Id ? _stat : TaskStat.Parse(ProcFile.Text($"/proc/{Id}/task/{Shown}/stat"))) is { State: 'T' or 't' })
        {
            throw new InvalidDumpException($"{who} is stopped by a signal and does nothing for that reason; let it go on with: kill -CONT {Id}");
        }

        if (FrozenGroup.Of(Shown) is { } frozen)
        {
            throw new InvalidDumpException($"{who} is frozen by its control group and does nothing for that reason; let it go on with: {frozen.Thaw}");
        }

        if (ProcFile.Bytes($"/proc/{Shown}/auxv") is [] && ProcFile.Bytes($"/proc/{Shown}/cmdline") is [])
        {
            throw new InvalidDumpException($"{who} is a thread of the kernel or has just ended");
        }

        if (Head($"/proc/{Shown}/exe") is { Length: > ElfClass } head && head[ElfClass] != Elf64)
        {
            throw new InvalidDumpException($"{who} runs 32-bit code; only 64-bit {LinuxMachine.OfThisProcess.Name} processes are read");
        }
    }

    /// <summary>The system names the thread that traces, which need not be the first of its process.</summary>
    private InvalidDumpException AlreadyTraced(int thread)
    {
        int tracer = ProcFile.Text($"/proc/{thread}/status") is { } text && ProcTaskStatus.Parse(text).ThreadGroup is > 0 and var group ? group : thread;
        string name = TaskStat.Parse(ProcFile.Text($"/proc/{tracer}/stat")) is { } stat ? $" ({stat.Name})" : "";
        return new InvalidDumpException(
            $"process {Id} ({Name}) is already traced by process {tracer}{name}; end that debugger or tracer first, or look again when it is done");
    }

    private bool HoldsRuntime() => ProcFile.Link($"/proc/{Shown}/exe") is { } program && SingleFileRuntime.Read(Reachable(program)) is not null;

    /// <summary>A path of the process as this program can reach it.</summary>
    public string Reachable(string path) => SharesNamespace("mnt") ? path : $"/proc/{Shown}/root{path}";

    /// <summary>
    /// Where the very file is opened that it has mapped under a name, though it was deleted or replaced since: its program for all who may trace it, others with
    /// the capability that the system asks for (proc_pid_map_files(5)).
    /// </summary>
    /// <param name="path">Its path, as the process names it.</param>
    /// <param name="mappings">What it has mapped.</param>
    public string? Mapped(string path, IReadOnlyList<MemoryMapping> mappings) =>
        ProcFile.Link($"/proc/{Shown}/exe") == path ? $"/proc/{Shown}/exe"
        : mappings.FirstOrDefault(m => m.IsFile && m.Path == path) is { } mapping ? $"/proc/{Shown}/map_files/{mapping.Start:x}-{mapping.End:x}"
        : null;

    private bool SharesNamespace(string kind) => ProcFile.Link($"/proc/{Shown}/ns/{kind}") is { } theirs && theirs == ProcFile.Link($"/proc/self/ns/{kind}");

    private static byte[]? Head(string path)
    {
        try
        {
            using FileStream file = File.OpenRead(path);
            byte[] head = new byte[ElfClass + 1];
            return file.Read(head) == head.Length ? head : null;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}

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
