using System.Runtime.InteropServices;
using System.Runtime.InteropServices.Marshalling;

namespace Dump.Clr.Blocking.Debugging;

/// <summary>A list of waits for monitors.</summary>
[GeneratedComInterface]
[Guid("976A6278-134A-4A81-81A3-8F277943F4C3")]
internal partial interface ICorDebugBlockingObjectEnum
{
    [PreserveSig]
    int Skip(uint count);

    [PreserveSig]
    int Reset();

    [PreserveSig]
    int Clone(out nint copy);

    [PreserveSig]
    int GetCount(out uint count);

    /// <summary>The next wait; <paramref name="fetched"/> is 0 at the end.</summary>
    [PreserveSig]
    int Next(uint count, out CorDebugBlockingObject blocking, out uint fetched);
}

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
