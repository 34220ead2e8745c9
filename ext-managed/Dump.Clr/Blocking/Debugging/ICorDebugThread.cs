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
