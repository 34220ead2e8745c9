using System.Globalization;
using Dump.Readers.Files;

namespace Dump.Triage.Discovery;

/// <summary>What the file system says of an entry, found out without opening it.</summary>
/// <param name="Kind">What it is, or what the link that it is leads to.</param>
/// <param name="IsLink">True when it is a symbolic link.</param>
/// <param name="What">For special ones: what it is, in words.</param>
/// <param name="Size">Size in bytes.</param>
/// <param name="Modified">Opaque time of the last change, to be compared.</param>
/// <param name="Key">The same for all names of the same file or folder.</param>
public sealed record EntryStatus(EntryKind Kind, bool IsLink, string What, long Size, long Modified, string Key)
{
    /// <summary>Looks at an entry.</summary>
    /// <param name="path">Its path.</param>
    /// <returns>Null when it is not there, is a link that leads nowhere or in a circle, or does not let itself be looked at.</returns>
    public static EntryStatus? Of(string path)
    {
        if (!OperatingSystem.IsLinux())
        {
            return Portable(path);
        }

        if (FileStatus.Of(path, ofLink: true) is not { } entry)
        {
            return null;
        }

        return (entry.IsLink ? FileStatus.Of(path) : entry) is { } status ? From(status, entry.IsLink) : null;
    }

    /// <summary>What is known of an entry, from what Linux said.</summary>
    /// <param name="status">Of the entry, or of what the link that it is leads to.</param>
    /// <param name="isLink">True for a link.</param>
    public static EntryStatus From(in FileStatus status, bool isLink) => new(
        status.IsFile ? EntryKind.File : status.IsDirectory ? EntryKind.Directory : EntryKind.Special,
        isLink,
        status.IsPipe ? "a pipe" : status.IsSocket ? "a socket" : "a device",
        status.Size,
        status.Modified,
        string.Create(CultureInfo.InvariantCulture, $"{status.Identity.DeviceMajor}:{status.Identity.DeviceMinor}:{status.Identity.Number}"));

    /// <summary>True for a place at which nothing can be told to be or not to be, because a directory on the way may not be looked into.</summary>
    /// <param name="path">Any path.</param>
    public static bool IsHidden(string path)
    {
        try
        {
            _ = File.GetAttributes(path);
            return false;
        }
        catch (UnauthorizedAccessException)
        {
            return true;
        }
        catch (Exception error) when (error is IOException or ArgumentException or NotSupportedException)
        {
            return false;
        }
    }

    private static EntryStatus? Portable(string path)
    {
        try
        {
            FileSystemInfo entry = Directory.Exists(path) ? new DirectoryInfo(path) : new FileInfo(path);
            FileSystemInfo target = entry.ResolveLinkTarget(returnFinalTarget: true) ?? entry;
            return !target.Exists ? null : new EntryStatus(
                target is DirectoryInfo ? EntryKind.Directory : (target.Attributes & FileAttributes.Device) != 0 ? EntryKind.Special : EntryKind.File,
                entry.LinkTarget is not null,
                "a device",
                target is FileInfo file ? file.Length : 0,
                target.LastWriteTimeUtc.Ticks,
                OperatingSystem.IsWindows() ? target.FullName.ToUpperInvariant() : target.FullName);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return null;
        }
    }
}
