using System.Runtime.InteropServices;

namespace Dump.Capture.Windows.Calls;

/// <summary>MEMORY_BASIC_INFORMATION of a 64-bit program (winnt.h).</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct MemoryRegion
{
    /// <summary>First address.</summary>
    public ulong BaseAddress;

    /// <summary>First address of the allocation that it belongs to.</summary>
    public ulong AllocationBase;

    /// <summary>Protection at the allocation.</summary>
    public uint AllocationProtect;

    /// <summary>Partition, and room.</summary>
    public uint Partition;

    /// <summary>Size in bytes.</summary>
    public ulong Size;

    /// <summary>MEM_COMMIT, MEM_RESERVE or MEM_FREE.</summary>
    public uint State;

    /// <summary>Protection.</summary>
    public uint Protect;

    /// <summary>MEM_IMAGE, MEM_MAPPED or MEM_PRIVATE.</summary>
    public uint Type;

    /// <summary>Room.</summary>
    public uint Room;
}
