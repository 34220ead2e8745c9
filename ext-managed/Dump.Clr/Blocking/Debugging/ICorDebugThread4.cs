using System.Runtime.InteropServices;
using System.Runtime.InteropServices.Marshalling;

namespace Dump.Clr.Blocking.Debugging;

/// <summary>What a thread is blocked in.</summary>
[GeneratedComInterface]
[Guid("1A1F204B-1C66-4637-823F-3EE6C744A69C")]
internal partial interface ICorDebugThread4
{
    [PreserveSig]
    int HasUnhandledException();

    /// <summary>The objects whose monitors the thread enters or waits for, innermost first.</summary>
    [PreserveSig]
    int GetBlockingObjects(out ICorDebugBlockingObjectEnum? objects);
}
