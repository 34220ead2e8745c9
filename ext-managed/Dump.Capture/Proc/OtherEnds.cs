using System.Collections.Immutable;
using System.Globalization;
using System.Runtime.Versioning;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Waits;

namespace Dump.Capture.Proc;

/// <summary>
/// Other processes for which the threads of a Linux process wait, as <c>/proc</c> tells once it runs on: child processes, who holds the lock of a file, who has
/// the other end of a pipe. Only processes that this user may look at are seen.
/// </summary>
[SupportedOSPlatform("linux")]
internal static class OtherEnds
{
    private const int MostFound = 32;

    /// <summary>The processes, each once, those of the first wait first.</summary>
    /// <param name="snapshot">What was read of the process.</param>
    public static ImmutableArray<AwaitedProcess> Of(ProcessSnapshot snapshot)
    {
        int process = (int)(snapshot.ProcessId ?? 0);
        return process == 0 ? [] :
        [
            .. snapshot.Waits.SelectMany(w => Of(process, w)).Where(a => a.Id != process && a.Id != Environment.ProcessId)
                .DistinctBy(a => a.Id).Take(MostFound),
        ];
    }

    private static IEnumerable<AwaitedProcess> Of(int process, WaitFact wait) => wait.Resource.Kind switch
    {
        ResourceKind.ChildProcess => ChildProcesses.Awaited(process, wait.Resource.Identity)
            .Where(c => c.Stat.State is not ('Z' or 'X')).Select(c => Named(c.Id, wait, "its end")),
        ResourceKind.FileLock => LockHolders(process).Select(p => Named(p, wait, "its lock of a file")),
        ResourceKind.FileDescriptor => PipeHolders(process, wait.Resource.Identity).Select(p => Named(p, wait, "the other end of a pipe")),
        _ => [],
    };

    private static AwaitedProcess Named(int id, WaitFact wait, string what) => new(
        id, ProcFile.Text($"/proc/{id}/comm") is { } name ? SafeText.Clean(name.TrimEnd('\n'), 64) : null,
        string.Create(CultureInfo.InvariantCulture, $"thread {wait.ThreadId} waits for {what}"));

    /// <summary>Who holds a lock that the process waits for: the system lists waits under the lock that is in their way.</summary>
    private static IEnumerable<int> LockHolders(int process)
    {
        FileLockLine[] lines = FileLockLine.Parse(ProcFile.Text("/proc/locks") ?? "");
        HashSet<string> wanted = [.. lines.Where(l => l.IsWaiting && l.Process == process).Select(l => l.Group)];
        return lines.Where(l => !l.IsWaiting && wanted.Contains(l.Group) && l.Process is > 0 and <= int.MaxValue).Select(l => (int)l.Process!.Value);
    }

    private static IEnumerable<int> PipeHolders(int process, ulong descriptor) =>
        ProcFile.Link($"/proc/{process}/fd/{descriptor}") is { } pipe && PipeEnds.IsPipe(pipe)
            ? PipeEnds.Opposite(pipe, process, descriptor).Where(id => id != process) : [];
}
