using System.Buffers.Binary;
using System.Globalization;
using System.Runtime.InteropServices;

namespace Dump.Triage.Discovery;

/// <summary>What the file system says of an entry, found out without opening it.</summary>
/// <param name="Kind">What it is, or what the link that it is leads to.</param>
/// <param name="IsLink">True when it is a symbolic link.</param>
/// <param name="What">For special ones: what it is, in words.</param>
/// <param name="Size">Size in bytes.</param>
/// <param name="Modified">Opaque time of the last change, to be compared.</param>
/// <param name="Key">The same for all names of the same file or folder.</param>
public sealed partial record EntryStatus(EntryKind Kind, bool IsLink, string What, long Size, long Modified, string Key)
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

        Span<byte> status = stackalloc byte[StatxLayout.Size];
        if (!TryRead(path, StatxLayout.DoNotFollow, status))
        {
            return null;
        }

        bool isLink = Type(status) == StatxLayout.Link;
        return isLink && !TryRead(path, 0, status) ? null : new EntryStatus(
            Type(status) switch { StatxLayout.File => EntryKind.File, StatxLayout.Directory => EntryKind.Directory, _ => EntryKind.Special },
            isLink,
            Type(status) switch { StatxLayout.Pipe => "a pipe", StatxLayout.Socket => "a socket", _ => "a device" },
            BinaryPrimitives.ReadInt64LittleEndian(status[StatxLayout.FileSize..]),
            unchecked((BinaryPrimitives.ReadInt64LittleEndian(status[StatxLayout.ModifiedSeconds..]) * 1_000_000_000)
                + BinaryPrimitives.ReadInt32LittleEndian(status[StatxLayout.ModifiedNanoseconds..])),
            string.Create(
                CultureInfo.InvariantCulture,
                $"{Number(status, StatxLayout.DeviceMajor)}:{Number(status, StatxLayout.DeviceMinor)}:"
                    + $"{BinaryPrimitives.ReadUInt64LittleEndian(status[StatxLayout.Inode..])}"));
    }

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

    private static int Type(ReadOnlySpan<byte> status) => BinaryPrimitives.ReadUInt16LittleEndian(status[StatxLayout.Mode..]) & StatxLayout.TypeMask;

    private static uint Number(ReadOnlySpan<byte> status, int offset) => BinaryPrimitives.ReadUInt32LittleEndian(status[offset..]);

    private static unsafe bool TryRead(string path, int flags, Span<byte> status)
    {
        fixed (byte* target = status)
        {
            return Statx(StatxLayout.CurrentDirectory, path, flags, StatxLayout.BasicStatus, target) == 0;
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

    [LibraryImport("libc", EntryPoint = "statx", StringMarshalling = StringMarshalling.Utf8)]
    private static unsafe partial int Statx(int directory, string path, int flags, uint mask, byte* status);
}
