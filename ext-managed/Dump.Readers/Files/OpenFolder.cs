using System.Runtime.InteropServices;
using Dump.Model.Text;
using Microsoft.Win32.SafeHandles;

namespace Dump.Readers.Files;

/// <summary>A folder on Linux that stays the one that was opened, whatever becomes of its name. Entries are reached from it, and never through a link.</summary>
public sealed partial class OpenFolder : IDisposable
{
    // As the class library makes files: the process' mask takes away from it.
    private const uint ForEverybody = 0x1B6;
    private readonly SafeFileHandle _folder;
    private readonly string _path;

    private OpenFolder(SafeFileHandle folder, string path) => (_folder, _path) = (folder, path);

    /// <summary>Where it lies now: its full path without a link; null when the system does not tell.</summary>
    public string? Place => RegularFile.PlaceOf(_folder);

    /// <summary>Opens a folder; links on the way are followed.</summary>
    /// <param name="path">Its path.</param>
    /// <returns>Null when there is none, and elsewhere than on Linux.</returns>
    public static OpenFolder? Open(string path) => !OperatingSystem.IsLinux() ? null : At(OpenLayout.CurrentDirectory, path, 0, path);

    /// <summary>Opens a folder in this one; a link to one is none.</summary>
    /// <param name="name">Its name.</param>
    /// <returns>Null when there is none.</returns>
    public OpenFolder? Inner(string name) =>
        IsName(name) ? At((int)_folder.DangerousGetHandle(), name, OpenLayout.NotThroughLink, Path.Combine(_path, name)) : null;

    /// <summary>What the system says of an entry, of a link itself.</summary>
    /// <param name="name">Its name.</param>
    /// <returns>Null when it is not there.</returns>
    public FileStatus? StatusOf(string name) => IsName(name) ? FileStatus.Of((int)_folder.DangerousGetHandle(), name, OpenLayout.OfTheLink) : null;

    /// <summary>Opens a regular file, locked as far as others may not share it.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="makes">True to make it, empty, when nothing is there.</param>
    /// <param name="access">What is to be done with it.</param>
    /// <param name="share">What others may do with it meanwhile.</param>
    /// <exception cref="IrregularFileException">This is a link, a pipe, a device or a directory, which is not opened.</exception>
    /// <exception cref="IOException">It is not there, or another program has it locked.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be made or opened.</exception>
    public FileStream Lock(string name, bool makes, FileAccess access, FileShare share)
    {
        ArgumentOutOfRangeException.ThrowIfEqual(IsName(name), false);
        SafeFileHandle named = Named(name);
        if (named.IsInvalid && makes && Marshal.GetLastPInvokeError() == OpenLayout.NoSuchEntry)
        {
            // Another program may make it at the same time; what lies there then is looked at like everything else.
            named.Dispose();
            using SafeFileHandle made = new(OpenAt((int)_folder.DangerousGetHandle(), name, OpenLayout.MakeNew | OpenLayout.NotThroughLink, ForEverybody), ownsHandle: true);
            named = Named(name);
        }

        using (named)
        {
            return named.IsInvalid ? throw RegularFile.Error(Path.Combine(_path, name), Marshal.GetLastPInvokeError())
                : FileStatus.Of(named) is { IsFile: true } ? new FileStream(RegularFile.LinkOf(named), FileMode.Open, access, share)
                : throw new IrregularFileException($"'{SafeText.Clean(name)}' is a link, a pipe, a device or a directory, and not a file");
        }
    }

    /// <summary>Removes a file or a link from this folder.</summary>
    /// <param name="name">Its name.</param>
    /// <exception cref="IOException">It stays; the message says why.</exception>
    public void Remove(string name)
    {
        if (!IsName(name) || UnlinkAt((int)_folder.DangerousGetHandle(), name, 0) != 0)
        {
            throw new IOException(IsName(name) ? Marshal.GetPInvokeErrorMessage(Marshal.GetLastPInvokeError()) : "this is no name of an entry");
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _folder.Dispose();

    private static bool IsName(string name) => name.Length > 0 && name is not "." and not ".." && !name.Contains('/', StringComparison.Ordinal);

    private SafeFileHandle Named(string name) =>
        new(OpenAt((int)_folder.DangerousGetHandle(), name, OpenLayout.NameOnly | OpenLayout.NotThroughLink, 0), ownsHandle: true);

    private static OpenFolder? At(int directory, string name, int flags, string path)
    {
        SafeFileHandle folder = new(OpenAt(directory, name, OpenLayout.NameOnly | OpenLayout.DirectoryOnly | flags, 0), ownsHandle: true);
        if (!folder.IsInvalid)
        {
            return new OpenFolder(folder, path);
        }

        folder.Dispose();
        return null;
    }

    [LibraryImport("libc", EntryPoint = "openat", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int OpenAt(int directory, string path, int flags, uint mode);

    [LibraryImport("libc", EntryPoint = "unlinkat", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int UnlinkAt(int directory, string path, int flags);
}
