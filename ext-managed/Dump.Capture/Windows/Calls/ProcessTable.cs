using System.Runtime.CompilerServices;
using System.Runtime.Versioning;
using Dump.Capture.Windows.Processes;

namespace Dump.Capture.Windows.Calls;

/// <summary>The processes of this machine, as the system lists them.</summary>
[SupportedOSPlatform("windows")]
internal static class ProcessTable
{
    // TH32CS_SNAPPROCESS (tlhelp32.h).
    private const uint Processes = 2;
    private const int MostProcesses = 100_000;

    /// <summary>All of them; empty when the list cannot be had.</summary>
    public static unsafe IReadOnlyList<ListedProcess> All()
    {
        using WindowsHandle snapshot = Kernel32.CreateToolhelp32Snapshot(Processes, 0);
        List<ListedProcess> found = [];
        ProcessEntry entry = new() { Size = (uint)Unsafe.SizeOf<ProcessEntry>() };
        if (snapshot.IsInvalid || !Kernel32.Process32First(snapshot, ref entry))
        {
            return found;
        }

        do
        {
            ReadOnlySpan<char> name = new(entry.Program, ProcessEntry.NameLength);
            int end = name.IndexOf('\0');
            found.Add(new ListedProcess((int)entry.ProcessId, name[..(end < 0 ? name.Length : end)].ToString(), (int)Math.Min(entry.Threads, int.MaxValue)));
            entry.Size = (uint)Unsafe.SizeOf<ProcessEntry>();
        }
        while (found.Count < MostProcesses && Kernel32.Process32Next(snapshot, ref entry));
        return found;
    }
}
