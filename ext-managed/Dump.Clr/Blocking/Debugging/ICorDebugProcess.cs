using System.Runtime.InteropServices;
using System.Runtime.InteropServices.Marshalling;

namespace Dump.Clr.Blocking.Debugging;

/// <summary>A process as the debugging library shows it: the methods that it inherits from ICorDebugController, up to the one that is called.</summary>
[GeneratedComInterface]
[Guid("3D6F5F64-7538-11D3-8D5B-00104B35E7EF")]
internal partial interface ICorDebugProcess
{
    [PreserveSig]
    int Stop(uint timeout);

    [PreserveSig]
    int Continue(int isOutOfBand);

    [PreserveSig]
    int IsRunning(out int isRunning);

    [PreserveSig]
    int HasQueuedCallbacks(nint thread, out int hasQueued);

    /// <summary>All managed threads.</summary>
    [PreserveSig]
    int EnumerateThreads(out ICorDebugThreadEnum? threads);
}
