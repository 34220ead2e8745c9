using System.Runtime.CompilerServices;
using System.Runtime.Versioning;

namespace Dump.Capture.Windows.Calls;

/// <summary>The threads of a process, as the system lists them.</summary>
[SupportedOSPlatform("windows")]
internal static class ThreadList
{
    // TH32CS_SNAPTHREAD (tlhelp32.h).
    private const uint Threads = 4;

    /// <summary>Their ids; empty when the process has ended or the list cannot be had.</summary>
    /// <param name="process">Process id.</param>
    /// <param name="most">Most ids.</param>
    public static IReadOnlyList<uint> Of(int process, int most)
    {
        using WindowsHandle snapshot = Kernel32.CreateToolhelp32Snapshot(Threads, 0);
        List<uint> ids = [];
        ThreadEntry entry = new() { Size = (uint)Unsafe.SizeOf<ThreadEntry>() };
        if (snapshot.IsInvalid || !Kernel32.Thread32First(snapshot, ref entry))
        {
            return ids;
        }

        do
        {
            if (entry.OwnerProcessId == process)
            {
                ids.Add(entry.ThreadId);
            }

            entry.Size = (uint)Unsafe.SizeOf<ThreadEntry>();
        }
        while (ids.Count < most && Kernel32.Thread32Next(snapshot, ref entry));
        return ids;
    }

    /// <summary>Opens a thread of a process; null when it has ended, or its id belongs to another process now.</summary>
    /// <param name="process">Process id.</param>
    /// <param name="thread">Thread id.</param>
    /// <param name="rights">Rights (<see cref="WindowsRights"/>), with the one to describe it.</param>
    public static WindowsHandle? Open(int process, uint thread, uint rights)
    {
        WindowsHandle handle = Kernel32.OpenThread(rights, false, thread);
        if (!handle.IsInvalid && Kernel32.GetProcessIdOfThread(handle) == (uint)process)
        {
            return handle;
        }

        handle.Dispose();
        return null;
    }
}
