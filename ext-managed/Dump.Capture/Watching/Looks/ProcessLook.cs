using System.Diagnostics;
using System.Globalization;
using System.Runtime.Versioning;
using System.Text;
using Dump.Capture.Proc;
using Dump.Capture.Windows.Messages;
using Dump.Model.Text;
using Dump.Readers.ElfCore;

namespace Dump.Capture.Watching.Looks;

/// <summary>What a cheap look at a process told: it was neither stopped nor disturbed.</summary>
/// <param name="Moment">When, on a clock that only measures differences.</param>
/// <param name="Processor">Processor time of the whole process since its start.</param>
/// <param name="Threads">How many threads it has.</param>
public sealed record ProcessLook(TimeSpan Moment, TimeSpan Processor, int Threads)
{
    /// <summary>Reads the processor times of its threads now, which costs more the more there are; empty when it has ended.</summary>
    public required Func<IReadOnlyDictionary<WatchedThread, TimeSpan>> ReadThreads { get; init; }

    /// <summary>Asks its threads with windows now, which takes a second for each that does not answer; empty where it has none that can be seen.</summary>
    public Func<IReadOnlyList<WindowAnswer>> ReadWindows { get; init; } = () => [];
}

/// <summary>What looks at the processes of this machine, and finds them by their names.</summary>
public static class ProcessLooks
{
    /// <summary>For this system; null where living processes are not read. To be disposed where it can be.</summary>
    /// <param name="log">Told what cannot be seen, a sentence without a full stop each (sanitised).</param>
    public static IProcessLooks? OfThisSystem(Action<string> log) =>
        OperatingSystem.IsLinux() ? new LinuxProcessLooks() : OperatingSystem.IsWindows() ? WindowsProcessLooks.OfThisMachine(log) : null;

    /// <summary>True for the id of a living process, decimal.</summary>
    /// <param name="id">The id.</param>
    public static bool Lives(string id) => WatchTarget.Parse(id) is { Id: not null } target && Find(target).Count > 0;

    /// <summary>Ids of the processes of a name, ascending; this program itself is left out.</summary>
    /// <param name="name">The name, of which <see cref="WatchTarget"/> says what it means; what is none has no process.</param>
    public static IReadOnlyList<int> Named(string name) =>
        WatchTarget.Parse(name) is { Name: not null } target ? [.. Find(target).Select(p => p.Id).Order()] : [];

    private static IReadOnlyList<WatchedProcess> Find(WatchTarget target)
    {
        IProcessLooks? looks = OfThisSystem(_ => { });
        using var open = looks as IDisposable;
        return looks?.Find(target) ?? [];
    }
}

/// <summary>Looks at processes through <c>/proc</c>, which needs no rights over them.</summary>
[SupportedOSPlatform("linux")]
public sealed class LinuxProcessLooks : IProcessLooks
{
    private const string Host = "dotnet";

    /// <inheritdoc/>
    public IReadOnlyList<WatchedProcess> Find(WatchTarget target) =>
        [.. (target.Id is { } id ? [id] : ProcFile.ProcessIds()).Where(i => i != Environment.ProcessId).Select(i => Match(i, target)).OfType<WatchedProcess>()];

    /// <inheritdoc/>
    public ProcessLook? Look(WatchedProcess process) => Stat(process.Id) is { } stat && stat.Started == process.Started
        ? new ProcessLook(Stopwatch.GetElapsedTime(0), stat.Total, stat.Threads) { ReadThreads = () => Threads(process.Id) }
        : null;

    /// <inheritdoc/>
    public long? Memory(WatchedProcess process) =>
        ProcFile.Text($"/proc/{process.Id}/statm")?.Split(' ') is [_, var resident, ..]
            && long.TryParse(resident, NumberStyles.None, CultureInfo.InvariantCulture, out long pages) ? pages * Environment.SystemPageSize : null;

    /// <summary>One whose first thread alone has ended lives on.</summary>
    private static TaskStat? Stat(int id) =>
        TaskStat.Parse(ProcFile.Text($"/proc/{id}/stat")) is { } stat and ({ State: not ('Z' or 'X') } or { Threads: > 1 }) ? stat : null;

    private static WatchedProcess? Match(int id, WatchTarget target)
    {
        if (Stat(id) is not { } stat)
        {
            return null;
        }

        string? program = Program(ProcFile.Link($"/proc/{id}/exe"));
        string? library = program == Host ? Library(id) : null;
        return target.Id is not null || target.Matches(stat.Name, program, library)
            ? new WatchedProcess(id, SafeText.Clean(target.Name ?? Path.GetFileNameWithoutExtension(library) ?? program ?? stat.Name, 64), stat.Started)
            : null;
    }

    /// <summary>The name of a program's file, which may have been replaced since it was started.</summary>
    private static string? Program(string? link) => link is null ? null : ElfMappedFile.NameOf(link);

    /// <summary>What <c>dotnet</c> runs: the first argument that names a library.</summary>
    private static string? Library(int id) => Encoding.UTF8.GetString(ProcFile.Bytes($"/proc/{id}/cmdline")).Split('\0').Skip(1)
        .FirstOrDefault(a => a.EndsWith(".dll", StringComparison.OrdinalIgnoreCase)) is { } path ? Path.GetFileName(path) : null;

    private static Dictionary<WatchedThread, TimeSpan> Threads(int id)
    {
        Dictionary<WatchedThread, TimeSpan> threads = [];
        foreach (uint thread in ProcFile.ThreadIds(id))
        {
            if (TaskStat.Parse(ProcFile.Text($"/proc/{id}/task/{thread}/stat")) is { } stat)
            {
                threads[new WatchedThread(thread, stat.Started)] = stat.Total;
            }
        }

        return threads;
    }
}

/// <summary>A thread of a process that is watched.</summary>
/// <param name="Id">Thread id.</param>
/// <param name="Started">When it started, on a clock of the system.</param>
public readonly record struct WatchedThread(uint Id, TimeSpan Started);
