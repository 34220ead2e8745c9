using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
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

/// <summary>PROCESSENTRY32W of a 64-bit program (tlhelp32.h).</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct ProcessEntry
{
    /// <summary>Characters of <see cref="Program"/> (MAX_PATH).</summary>
    public const int NameLength = 260;

    /// <summary>Size of this structure in bytes.</summary>
    public uint Size;

    /// <summary>Always 0.</summary>
    public uint Usage;

    /// <summary>Process id.</summary>
    public uint ProcessId;

    /// <summary>Always 0.</summary>
    public nuint DefaultHeapId;

    /// <summary>Always 0.</summary>
    public uint ModuleId;

    /// <summary>How many threads it has.</summary>
    public uint Threads;

    /// <summary>Process id of the one that started it.</summary>
    public uint ParentProcessId;

    /// <summary>Base priority of its threads.</summary>
    public int BasePriority;

    /// <summary>Always 0.</summary>
    public uint Flags;

    /// <summary>File name of its program, up to a zero.</summary>
    public fixed char Program[NameLength];
}
