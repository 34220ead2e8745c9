using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace Dump.Capture.Windows.Calls;

/// <summary>A handle of a kernel object; 0 and -1 are none.</summary>
[SupportedOSPlatform("windows")]
internal sealed class WindowsHandle() : SafeHandleZeroOrMinusOneIsInvalid(ownsHandle: true)
{
    /// <inheritdoc/>
    protected override bool ReleaseHandle() => Kernel32.CloseHandle(handle);
}
