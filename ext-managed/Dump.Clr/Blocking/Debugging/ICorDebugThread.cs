using System.Runtime.InteropServices;
using System.Runtime.InteropServices.Marshalling;

namespace Dump.Clr.Blocking.Debugging;

/// <summary>A thread, up to the method that is called.</summary>
[GeneratedComInterface]
[Guid("938C6D66-7FB6-4F69-B389-425B8987329B")]
internal partial interface ICorDebugThread
{
    [PreserveSig]
    int GetProcess(out nint process);

    /// <summary>Its operating system id.</summary>
    [PreserveSig]
    int GetID(out uint id);
}

/// <summary>A list of threads.</summary>
[GeneratedComInterface]
[Guid("CC7BCB06-8A68-11D2-983C-0000F808342D")]
internal partial interface ICorDebugThreadEnum
{
    [PreserveSig]
    int Skip(uint count);

    [PreserveSig]
    int Reset();

    [PreserveSig]
    int Clone(out nint copy);

    [PreserveSig]
    int GetCount(out uint count);

    /// <summary>The next thread; <paramref name="fetched"/> is 0 at the end.</summary>
    [PreserveSig]
    int Next(uint count, out ICorDebugThread? thread, out uint fetched);
}
