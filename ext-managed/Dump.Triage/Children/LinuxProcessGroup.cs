using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;

namespace Dump.Triage.Children;

/// <summary>A process group of Linux, watched through <c>/proc</c>.</summary>
/// <param name="head">Process id of its head.</param>
internal sealed partial class LinuxProcessGroup(int head) : IProcessGroup
{
    private const int Kill = 9;
    private const int MostProcesses = 64;
    private const long BytesInKiB = 1024;

    // Pages without a file and shared memory (proc_pid_status(5)); the pages of a mapped dump can be taken away at any time and do no harm.
    private static readonly string[] s_counted = ["RssAnon:", "RssShmem:"];

    /// <inheritdoc/>
    public long? Memory()
    {
        long? sum = null;
        foreach (int process in Processes())
        {
            sum = MemoryOf(process) is { } bytes ? (sum ?? 0) + bytes : sum;
        }

        return sum;
    }

    /// <inheritdoc/>
    public TimeSpan? ProcessorTime()
    {
        TimeSpan? sum = null;
        foreach (int id in Processes())
        {
            try
            {
                using var process = Process.GetProcessById(id);
                sum = (sum ?? TimeSpan.Zero) + process.TotalProcessorTime;
            }
            catch (Exception error) when (error is ArgumentException or InvalidOperationException or Win32Exception)
            {
                // It has ended meanwhile.
            }
        }

        return sum;
    }

    /// <summary>Bytes of one process that the system cannot take back; null when it has ended.</summary>
    internal static long? MemoryOf(int process) => Text($"/proc/{process}/status") is { } status ? Counted(status) : null;

    /// <inheritdoc/>
    public void End(bool hasHeadEnded)
    {
        if (hasHeadEnded && IsAnother(Text($"/proc/{head}/stat")))
        {
            return;
        }

        // The group is missing while the child has not made it yet, and a program that is no child of ours by design makes none: then what is below it is ended
        // one by one.
        List<int> processes = hasHeadEnded ? [] : Processes();
        _ = Signal(-head, Kill);
        foreach (int process in processes)
        {
            _ = Signal(process, Kill);
        }
    }

    /// <summary>Nothing is held.</summary>
    public void Dispose()
    {
    }

    /// <summary>
    /// Whether a process that has the id of a head that has ended is another one, and its group none of ours: ids are given again. The head itself, which nobody
    /// has waited for yet, is a zombie (proc_pid_stat(5): the state follows the name in brackets).
    /// </summary>
    /// <param name="stat">Text of its <c>stat</c>; null when there is none of that id.</param>
    internal static bool IsAnother(string? stat) => stat is not null && stat[(stat.LastIndexOf(')') + 1)..].TrimStart() is not ['Z' or 'X', ..];

    private List<int> Processes()
    {
        List<int> processes = [head];
        for (int i = 0; i < processes.Count && processes.Count < MostProcesses; i++)
        {
            processes.AddRange(Children(processes[i]).Take(MostProcesses));
        }

        return processes;
    }

    private static long Counted(string status)
    {
        long bytes = 0;
        foreach (string line in status.Split('\n'))
        {
            if (Array.Find(s_counted, c => line.StartsWith(c, StringComparison.Ordinal)) is { } name
                && long.TryParse(line[name.Length..].Replace("kB", "", StringComparison.Ordinal).Trim(), NumberStyles.None, CultureInfo.InvariantCulture,
                    out long value))
            {
                bytes += value * BytesInKiB;
            }
        }

        return bytes;
    }

    private static IEnumerable<int> Children(int process)
    {
        string[] threads;
        try
        {
            threads = Directory.GetDirectories($"/proc/{process}/task");
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return [];
        }

        return threads.SelectMany(t => (Text(t + "/children") ?? "").Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .Select(t => int.TryParse(t, NumberStyles.None, CultureInfo.InvariantCulture, out int id) ? id : 0).Where(id => id > 1);
    }

    private static string? Text(string path)
    {
        try
        {
            return File.ReadAllText(path);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    [LibraryImport("libc", EntryPoint = "kill")]
    private static partial int Signal(int process, int signal);
}
