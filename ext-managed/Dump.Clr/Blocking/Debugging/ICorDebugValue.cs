using System.Runtime.InteropServices;
using System.Runtime.InteropServices.Marshalling;

namespace Dump.Clr.Blocking.Debugging;

/// <summary>A value; for an object its address is the object's.</summary>
[GeneratedComInterface]
[Guid("CC7BCAF7-8A68-11D2-983C-0000F808342D")]
internal partial interface ICorDebugValue
{
    [PreserveSig]
    int GetType(out int elementType);

    [PreserveSig]
    int GetSize(out uint size);

    /// <summary>Where it lies in the process.</summary>
    [PreserveSig]
    int GetAddress(out ulong address);
}
