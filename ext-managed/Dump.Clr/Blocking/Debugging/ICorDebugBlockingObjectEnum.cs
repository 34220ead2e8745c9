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
