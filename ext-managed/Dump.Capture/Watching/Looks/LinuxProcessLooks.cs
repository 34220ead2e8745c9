using System.Diagnostics;
using System.Globalization;
using System.Runtime.Versioning;
using System.Text;
using Dump.Capture.Proc;
using Dump.Model.Text;
using Dump.Readers.ElfCore;

namespace Dump.Capture.Watching.Looks;

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

    private static TaskStat? Stat(int id) => TaskStat.Parse(ProcFile.Text($"/proc/{id}/stat")) is { State: not ('Z' or 'X') } stat ? stat : null;

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
