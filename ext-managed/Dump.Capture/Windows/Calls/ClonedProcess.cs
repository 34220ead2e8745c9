using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace Dump.Capture.Windows.Calls;

/// <summary>
/// PssCaptureSnapshot (processsnapshot.h, Windows 8.1 and later): a copy of a process' memory at one moment, whose threads are stopped for no longer.
/// </summary>
[SupportedOSPlatform("windows")]
internal sealed unsafe class ClonedProcess : IDisposable
{
    // PSS_CAPTURE_VA_CLONE, HANDLES with names, basic and type specific information, THREADS with their contexts; PSS_CREATE_USE_VM_ALLOCATIONS and
    // RELEASE_SECTION, as Microsoft's own example of such dumps has them.
    private const uint Capture = 0x1 | 0x4 | 0x8 | 0x10 | 0x20 | 0x80 | 0x100 | 0x2000_0000 | 0x8000_0000;

    // CONTEXT_ALL of x64 (winnt.h).
    private const uint AllRegisters = 0x10_001F;
    private readonly nint _library;

    private ClonedProcess(nint library, nint handle)
    {
        _library = library;
        Handle = handle;
    }

    /// <summary>The snapshot (HPSS).</summary>
    public nint Handle { get; }

    /// <summary>Makes one.</summary>
    /// <param name="process">The process, opened to be cloned.</param>
    /// <param name="error">Why there is none; null when the system has no such function.</param>
    public static ClonedProcess? Of(WindowsHandle process, out int? error)
    {
        error = null;
        nint library = NativeLibrary.Load(Kernel32.Library, typeof(ClonedProcess).Assembly, DllImportSearchPath.System32);
        if (!NativeLibrary.TryGetExport(library, "PssCaptureSnapshot", out nint function))
        {
            return null;
        }

        nint handle;
        error = (int)((delegate* unmanaged<nint, uint, uint, nint*, uint>)function)(process.DangerousGetHandle(), Capture, AllRegisters, &handle);
        return error == 0 ? new ClonedProcess(library, handle) : null;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (NativeLibrary.TryGetExport(_library, "PssFreeSnapshot", out nint function))
        {
            // -1 is this process (GetCurrentProcess).
            _ = ((delegate* unmanaged<nint, nint, uint>)function)(-1, Handle);
        }
    }
}
