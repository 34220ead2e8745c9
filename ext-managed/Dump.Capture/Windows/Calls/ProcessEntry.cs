using System.Runtime.InteropServices;

namespace Dump.Capture.Windows.Calls;

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
