using System.Runtime.InteropServices;

namespace Dump.Clr.Blocking.Debugging;

/// <summary>A wait for a monitor.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct CorDebugBlockingObject
{
    /// <summary>ICorDebugValue that refers to the object; whoever gets it releases it.</summary>
    public nint Value;

    /// <summary>Time limit in milliseconds, all bits set for none.</summary>
    public uint Timeout;

    /// <summary>1 for entering the monitor, 2 for waiting for its pulse.</summary>
    public int Reason;
}
