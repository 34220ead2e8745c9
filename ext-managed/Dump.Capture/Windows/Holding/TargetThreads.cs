using System.Runtime.Versioning;
using Dump.Capture.Windows.Calls;

namespace Dump.Capture.Windows.Holding;

/// <summary>The threads of a process, each opened when it is first asked for. An id that belongs to another process by then is none of them.</summary>
/// <param name="process">Process id.</param>
[SupportedOSPlatform("windows")]
internal sealed unsafe class TargetThreads(int process) : ITargetThreads
{
    // ThreadSuspendCount of NtQueryInformationThread, since Windows 8.1 (phnt; not in the SDK).
    private const int SuspendCount = 35;
    private readonly Dictionary<uint, WindowsHandle?> _threads = [];

    /// <inheritdoc/>
    public IReadOnlyList<uint> List(int most) => ThreadList.Of(process, most);

    /// <inheritdoc/>
    public int? CountOf(uint thread)
    {
        uint count;
        return Open(thread) is { } handle && Ntdll.NtQueryInformationThread(handle, SuspendCount, &count, sizeof(uint), out _) == 0 ? (int)count : null;
    }

    /// <inheritdoc/>
    public int? Suspend(uint thread) =>
        Open(thread) is { } handle && Kernel32.SuspendThread(handle) is var before && before != Kernel32.Failed ? (int)before : null;

    /// <inheritdoc/>
    public int? Resume(uint thread) =>
        Open(thread) is { } handle && Kernel32.ResumeThread(handle) is var before && before != Kernel32.Failed ? (int)before : null;

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (WindowsHandle? handle in _threads.Values)
        {
            handle?.Dispose();
        }

        _threads.Clear();
    }

    private WindowsHandle? Open(uint thread)
    {
        if (!_threads.TryGetValue(thread, out WindowsHandle? handle))
        {
            _threads[thread] = handle = ThreadList.Open(process, thread, WindowsRights.StopThread);
        }

        return handle;
    }
}
