using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.Versioning;
using Dump.Model.Text;

namespace Dump.Capture.Watching.Looks;

/// <summary>Looks at processes through the class library, which asks Windows for numbers that it keeps of each process.</summary>
[SupportedOSPlatform("windows")]
public sealed class WindowsProcessLooks : IProcessLooks
{
    private const string Extension = ".exe";

    /// <inheritdoc/>
    public IReadOnlyList<WatchedProcess> Find(WatchTarget target)
    {
        List<WatchedProcess> found = [];
        foreach (Process process in target.Id is { } id ? ById(id) : Process.GetProcesses())
        {
            using (process)
            {
                if (process.Id != Environment.ProcessId && Describe(process, target) is { } described)
                {
                    found.Add(described);
                }
            }
        }

        return [.. found.OrderBy(p => p.Id)];
    }

    /// <inheritdoc/>
    public ProcessLook? Look(WatchedProcess process) => Ask(process, p =>
        new ProcessLook(Stopwatch.GetElapsedTime(0), p.TotalProcessorTime, p.Threads.Count) { ReadThreads = () => Ask(process, Threads) ?? [] });

    /// <inheritdoc/>
    public long? Memory(WatchedProcess process) => Ask(process, p => (long?)p.PrivateMemorySize64);

    private static Process[] ById(int id)
    {
        try
        {
            return [Process.GetProcessById(id)];
        }
        catch (ArgumentException)
        {
            return [];
        }
    }

    private static WatchedProcess? Describe(Process process, WatchTarget target)
    {
        try
        {
            return target.Id is not null || target.Matches(process.ProcessName, process.ProcessName + Extension)
                ? new WatchedProcess(process.Id, SafeText.Clean(process.ProcessName, 64), StartOf(process))
                : null;
        }
        catch (Exception error) when (IsGone(error))
        {
            return null;
        }
    }

    private static Dictionary<WatchedThread, TimeSpan> Threads(Process process)
    {
        Dictionary<WatchedThread, TimeSpan> threads = [];
        foreach (ProcessThread thread in process.Threads)
        {
            using (thread)
            {
                try
                {
                    threads[new WatchedThread((uint)thread.Id, TimeSpan.FromTicks(thread.StartTime.ToUniversalTime().Ticks))] = thread.TotalProcessorTime;
                }
                catch (Exception error) when (IsGone(error))
                {
                    // It has ended, or may not be looked at.
                }
            }
        }

        return threads;
    }

    private static T? Ask<T>(WatchedProcess process, Func<Process, T> ask)
    {
        try
        {
            using var found = Process.GetProcessById(process.Id);
            return StartOf(found) == process.Started && !found.HasExited ? ask(found) : default;
        }
        catch (Exception error) when (IsGone(error) || error is ArgumentException)
        {
            return default;
        }
    }

    private static TimeSpan StartOf(Process process) => TimeSpan.FromTicks(process.StartTime.ToUniversalTime().Ticks);

    private static bool IsGone(Exception error) => error is InvalidOperationException or Win32Exception or NotSupportedException;
}
