using System.Globalization;
using System.Runtime.InteropServices;
using Dump.Model.Text;
using Microsoft.Win32.SafeHandles;

namespace Dump.Readers.Files;

/// <summary>
/// Opens files for reading, and nothing but regular ones: opening a pipe waits for a writer, and a device may do anything. A link is followed, and what it
/// leads to must be a regular file. What is opened is what is looked at, so that nothing can take its place in between. Of files that a dump names, which are
/// whatever a stranger wrote there, the owner counts as well, and what is refused was not even opened.
/// </summary>
public static partial class RegularFile
{
    /// <summary>Opens a file as a stream that others may write to, rename and delete meanwhile.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="bufferSize">Size of the stream's buffer in bytes; 0 for none.</param>
    /// <param name="owners">Whose files are opened; null for everybody's.</param>
    /// <exception cref="IOException">It is not there, no regular file, or cannot be opened.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be read, or belongs to somebody else.</exception>
    public static FileStream OpenRead(string path, int bufferSize = 4096, FileOwners? owners = null)
    {
        SafeFileHandle handle = OpenHandle(path, owners);
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
    /// <param name="owners">Whose files are opened; null for everybody's. On Windows everybody's are.</param>
    /// <exception cref="IOException">It is not there, no regular file, or cannot be opened.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be read, or belongs to somebody else.</exception>
    public static SafeFileHandle OpenHandle(string path, FileOwners? owners = null)
    {
        if (!OperatingSystem.IsLinux())
        {
            return OpenBySystem(path);
        }

        ArgumentException.ThrowIfNullOrEmpty(path);
        ServedPlaces? served = ServedPlaces.Current is { } places && places.Name(Path.GetFullPath(path)) ? places : null;
        if (owners is not null || served is not null)
        {
            return OpenOf(owners, served, path);
        }

        SafeFileHandle handle = Opened(path, path, OpenLayout.ReadWithoutWaiting);
        return FileStatus.Of(handle) is { IsFile: true } ? handle : throw Refused(handle, path);
    }

    /// <summary>User id of the owner of an opened file; null where the system does not tell.</summary>
    internal static uint? OwnerOf(SafeFileHandle file) => OperatingSystem.IsLinux() ? FileStatus.Of(file)?.User : null;

    /// <summary>Names what a path leads to on Linux, links followed, without opening it: a pipe or a device does not notice.</summary>
    /// <param name="path">Its path.</param>
    /// <returns>A descriptor that stays with that file or folder, whatever becomes of its name.</returns>
    /// <exception cref="IOException">It is not there, or cannot be reached.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be looked at.</exception>
    public static SafeFileHandle Name(string path) => Opened(path, path, OpenLayout.NameOnly);

    /// <summary>Where an open file or folder lies now on Linux: its full path without a link; null when the system does not tell.</summary>
    /// <param name="opened">The file; a descriptor that only names it does.</param>
    internal static string? PlaceOf(SafeFileHandle opened)
    {
        try
        {
            return new FileInfo(LinkOf(opened)).LinkTarget;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>
    /// Owner of a symbolic link that another user may have planted: it is neither root's nor this user's, and others may write to its directory, as to
    /// <c>/tmp</c>. Null for every other link, and where there is none.
    /// </summary>
    /// <param name="path">Path of the link.</param>
    public static uint? StrangerOf(string path)
    {
        const UnixFileMode Others = UnixFileMode.GroupWrite | UnixFileMode.OtherWrite;
        if (!OperatingSystem.IsLinux() || Path.GetDirectoryName(path) is not { } directory || (File.GetUnixFileMode(directory) & Others) == 0)
        {
            return null;
        }

        using SafeFileHandle link = Opened(path, path, OpenLayout.NameOnly | OpenLayout.NotThroughLink);
        return FileStatus.Of(link) is { IsLink: true, User: not 0 and var owner } && owner != FileStatus.EffectiveUser ? owner : null;
    }

    /// <summary>
    /// The name leads to a file once, which is looked at by a descriptor that opens nothing; that very file is then opened by way of the descriptor, whatever
    /// the name leads to by then.
    /// </summary>
    private static SafeFileHandle OpenOf(FileOwners? owners, ServedPlaces? served, string path)
    {
        using SafeFileHandle named = Name(path);
        if (served?.Hold(named) == false)
        {
            throw new UnauthorizedAccessException($"'{SafeText.Clean(path)}' leads out of the folders that are served");
        }

        if (FileStatus.Of(named) is not { IsFile: true } status)
        {
            throw Refused(named, path);
        }

        return owners?.Take(path, status.User) != false ? Opened(LinkOf(named), path, OpenLayout.ReadWithoutWaiting)
            : throw new UnauthorizedAccessException($"'{SafeText.Clean(path)}' belongs to another user ({status.User})");
    }

    /// <summary>The path that leads to an open file, whatever becomes of its name.</summary>
    internal static string LinkOf(SafeFileHandle opened) => string.Create(CultureInfo.InvariantCulture, $"/proc/self/fd/{opened.DangerousGetHandle()}");

    private static SafeFileHandle Opened(string place, string path, int flags)
    {
        SafeFileHandle handle = new(Open(place, flags), ownsHandle: true);
        int error = Marshal.GetLastPInvokeError();
        if (handle.IsInvalid)
        {
            handle.Dispose();
            throw Error(path, error);
        }

        return handle;
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

    /// <summary>What to throw for an error number of <c>open</c>.</summary>
    internal static Exception Error(string path, int error) => error switch
    {
        OpenLayout.NoSuchEntry or OpenLayout.NoDirectory => new FileNotFoundException($"Could not find file '{Path.GetFullPath(path)}'.", path),
        OpenLayout.NotPermitted or OpenLayout.AccessDenied => new UnauthorizedAccessException($"Access to the path '{Path.GetFullPath(path)}' is denied."),
        _ => new IOException($"{Marshal.GetPInvokeErrorMessage(error)} : '{Path.GetFullPath(path)}'"),
    };

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Open(string path, int flags);
}

/// <summary>What was to be read as a file is a pipe, a device or a directory.</summary>
/// <param name="message">Which, with its path.</param>
public sealed class IrregularFileException(string message) : IOException(message);
