using System.Runtime.InteropServices;
using System.Runtime.InteropServices.Marshalling;

namespace Dump.Clr.Blocking.Debugging;

/// <summary>A reference to an object, with the methods that it inherits from ICorDebugValue.</summary>
[GeneratedComInterface]
[Guid("CC7BCAF9-8A68-11D2-983C-0000F808342D")]
internal partial interface ICorDebugReferenceValue
{
    [PreserveSig]
    int GetType(out int elementType);

    [PreserveSig]
    int GetSize(out uint size);

    [PreserveSig]
    int GetAddress(out ulong address);

    [PreserveSig]
    int CreateBreakpoint(out nint breakpoint);

    [PreserveSig]
    int IsNull(out int isNull);

    /// <summary>The address of the object.</summary>
    [PreserveSig]
    int GetValue(out ulong address);

    [PreserveSig]
    int SetValue(ulong address);

    /// <summary>The object itself.</summary>
    [PreserveSig]
    int Dereference(out ICorDebugValue? value);
}
