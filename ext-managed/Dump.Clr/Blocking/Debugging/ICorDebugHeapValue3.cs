using System.Runtime.InteropServices;
using System.Runtime.InteropServices.Marshalling;

namespace Dump.Clr.Blocking.Debugging;

/// <summary>The monitor of an object.</summary>
[GeneratedComInterface]
[Guid("A69ACAD8-2374-46E9-9FF8-B1F14120D296")]
internal partial interface ICorDebugHeapValue3
{
    /// <summary>The owner and how many times it has entered. Returns S_FALSE (1) for a monitor that nobody owns.</summary>
    [PreserveSig]
    int GetThreadOwningMonitorLock(out ICorDebugThread? owner, out uint count);
}
