using System.Globalization;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Dump.Capture.Windows.Calls;
using Dump.Model.Text;
using Dump.Readers;
using Microsoft.Win32.SafeHandles;

namespace Dump.Capture.Windows.Writing;

/// <summary>
/// The file of a dump that is being written: it disappears with this object, or with this program however that ends, unless it is to be kept and complete.
/// </summary>
[SupportedOSPlatform("windows")]
internal sealed class SnapshotFile : IDisposable
{
    // winnt.h, fileapi.h, minwinbase.h.
    private const uint ReadWriteDelete = 0x8000_0000 | 0x4000_0000 | 0x1_0000;
    private const uint ShareRead = 1;
    private const uint CreateNew = 1;
    private const uint TemporaryDeleteOnClose = 0x100 | 0x0400_0000;
    private const uint Normal = 0x80;
    private const int Disposition = 4;

    private SnapshotFile(string path, SafeFileHandle handle, bool isKept)
    {
        Path = path;
        Handle = handle;
        IsKept = isKept;
    }

    /// <summary>Its path, for reading while this object lives.</summary>
    public string Path { get; }

    /// <summary>The open file.</summary>
    public SafeFileHandle Handle { get; }

    /// <summary>True for one that is to be kept.</summary>
    public bool IsKept { get; }

    /// <summary>Makes the file.</summary>
    /// <param name="process">Process id, for its name.</param>
    /// <param name="keepPath">Where to keep it; null for one that disappears.</param>
    /// <exception cref="InvalidDumpException">It cannot be made.</exception>
    public static SnapshotFile Create(int process, string? keepPath)
    {
        string path = keepPath is not null ? System.IO.Path.GetFullPath(keepPath)
            : System.IO.Path.Combine(System.IO.Path.GetTempPath(),
                string.Create(CultureInfo.InvariantCulture, $"dumpanalyze-{process}-{Guid.NewGuid():n}.dmp"));
        SafeFileHandle handle = Kernel32.CreateFile(
            path, ReadWriteDelete, ShareRead, 0, CreateNew, keepPath is null ? TemporaryDeleteOnClose : Normal, 0);
        if (handle.IsInvalid)
        {
            int error = Marshal.GetLastPInvokeError();
            handle.Dispose();
            throw new InvalidDumpException($"the file for the process' memory cannot be made: {WindowsError.Text(error)}: "
                + SafeText.Clean(path));
        }

        SnapshotFile file = new(path, handle, keepPath is not null);
        if (file.IsKept)
        {
            file.SetDeletion(true);
        }

        return file;
    }

    /// <summary>Says that all is written: one that is to be kept stays from now on, and it can be opened.</summary>
    public void Complete()
    {
        if (IsKept)
        {
            SetDeletion(false);
        }
    }

    /// <summary>Bytes that are free in a folder; null when the system does not tell.</summary>
    /// <param name="folder">Its full path.</param>
    public static long? RoomIn(string folder)
    {
        try
        {
            return new DriveInfo(folder).AvailableFreeSpace;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return null;
        }
    }

    /// <inheritdoc/>
    public void Dispose() => Handle.Dispose();

    /// <summary>FILE_DISPOSITION_INFO: whether the file goes when its last handle is closed.</summary>
    private unsafe void SetDeletion(bool isDeleted)
    {
        byte information = isDeleted ? (byte)1 : (byte)0;
        if (!Kernel32.SetFileInformationByHandle(Handle, Disposition, &information, 1))
        {
            throw new InvalidDumpException($"the file {SafeText.Clean(Path)} cannot be written: "
                + WindowsError.Text(Marshal.GetLastPInvokeError()));
        }
    }
}
