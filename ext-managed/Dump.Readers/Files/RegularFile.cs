using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Dump.Model.Text;
using Microsoft.Win32.SafeHandles;

namespace Dump.Readers.Files;

/// <summary>
/// Opens files for reading, and nothing but regular ones: opening a pipe waits for a writer, and a device may do anything. A link is followed, and what it
/// leads to must be a regular file. What is opened is what is looked at, so that nothing can take its place in between.
/// </summary>
public static partial class RegularFile
{
    /// <summary>Opens a file as a stream that others may write to, rename and delete meanwhile.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="bufferSize">Size of the stream's buffer in bytes; 0 for none.</param>
    /// <exception cref="IOException">It is not there, no regular file, or cannot be opened.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be read.</exception>
    public static FileStream OpenRead(string path, int bufferSize = 4096)
    {
        SafeFileHandle handle = OpenHandle(path);
        try
        {
            return new FileStream(handle, FileAccess.Read, bufferSize);
        }
        catch
        {
            handle.Dispose();
            throw;
        }
    }

    /// <summary>Opens a file as a handle that others may write to, rename and delete meanwhile.</summary>
    /// <param name="path">Its path.</param>
    /// <exception cref="IOException">It is not there, no regular file, or cannot be opened.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be read.</exception>
    public static SafeFileHandle OpenHandle(string path)
    {
        if (!OperatingSystem.IsLinux())
        {
            return OpenBySystem(path);
        }

        ArgumentException.ThrowIfNullOrEmpty(path);
        SafeFileHandle handle = new(Open(path, OpenLayout.ReadWithoutWaiting), ownsHandle: true);
        int error = Marshal.GetLastPInvokeError();
        if (handle.IsInvalid)
        {
            handle.Dispose();
            throw Error(path, error);
        }

        return Kind(handle) == OpenLayout.RegularFile ? handle : throw Refused(handle, path);
    }

    /// <summary>Where the class library opens it: what has no length is no file.</summary>
    private static SafeFileHandle OpenBySystem(string path)
    {
        SafeFileHandle handle = File.OpenHandle(path, share: FileShare.ReadWrite | FileShare.Delete);
        try
        {
            _ = RandomAccess.GetLength(handle);
            return handle;
        }
        catch (NotSupportedException)
        {
            throw Refused(handle, path);
        }
    }

    private static IrregularFileException Refused(IDisposable opened, string path)
    {
        opened.Dispose();
        return new IrregularFileException($"'{SafeText.Clean(path)}' is a pipe, a device or a directory, and not a file");
    }

    private static unsafe int? Kind(SafeFileHandle handle)
    {
        byte* status = stackalloc byte[OpenLayout.StatusSize];
        return Status(handle, "", OpenLayout.OfTheDescriptor, OpenLayout.TypeOnly, status) == 0
            ? BinaryPrimitives.ReadUInt16LittleEndian(new ReadOnlySpan<byte>(status + OpenLayout.Mode, sizeof(ushort))) & OpenLayout.TypeMask : null;
    }

    private static Exception Error(string path, int error) => error switch
    {
        OpenLayout.NoSuchEntry or OpenLayout.NoDirectory => new FileNotFoundException($"Could not find file '{Path.GetFullPath(path)}'.", path),
        OpenLayout.NotPermitted or OpenLayout.AccessDenied => new UnauthorizedAccessException($"Access to the path '{Path.GetFullPath(path)}' is denied."),
        _ => new IOException($"{Marshal.GetPInvokeErrorMessage(error)} : '{Path.GetFullPath(path)}'"),
    };

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "statx", StringMarshalling = StringMarshalling.Utf8)]
    private static unsafe partial int Status(SafeFileHandle file, string path, int flags, uint mask, byte* status);
}
