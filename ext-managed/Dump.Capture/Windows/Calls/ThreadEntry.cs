using System.Runtime.InteropServices;

namespace Dump.Capture.Windows.Calls;

/// <summary>THREADENTRY32 (tlhelp32.h).</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct ThreadEntry
{
    /// <summary>Size of this structure in bytes.</summary>
    public uint Size;

    /// <summary>Always 0.</summary>
    public uint Usage;

    /// <summary>Thread id.</summary>
    public uint ThreadId;

    /// <summary>Id of its process.</summary>
    public uint OwnerProcessId;

    /// <summary>Base priority.</summary>
    public int BasePriority;

    /// <summary>Always 0.</summary>
    public int DeltaPriority;

    /// <summary>Always 0.</summary>
    public uint Flags;
}
