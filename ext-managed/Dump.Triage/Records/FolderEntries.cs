using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Dump.Triage.Records;

/// <summary>
/// Forces the entries of a folder onto the disk. What was forced itself and then renamed may be gone after a power cut as long as its new name was not.
/// </summary>
internal static partial class FolderEntries
{
    // fcntl(2): O_RDONLY with O_CLOEXEC, the same on x64 and ARM64.
    private const int ReadOnly = 0x80000;

    /// <summary>Forces them, where the system has a way to: on Windows the file system's journal keeps the order.</summary>
    /// <param name="folder">The folder.</param>
    /// <exception cref="IOException">It cannot be opened, or the disk failed.</exception>
    public static void Force(string folder)
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        using SafeFileHandle handle = new(Open(folder, ReadOnly), ownsHandle: true);
        if (handle.IsInvalid)
        {
            throw new IOException(Marshal.GetPInvokeErrorMessage(Marshal.GetLastPInvokeError()));
        }

        RandomAccess.FlushToDisk(handle);
    }

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Open(string path, int flags);
}
