using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Dump.Readers.Files;

/// <summary>What Linux says of a file, directory or link: of an open one by its descriptor, of another one without opening it (statx(2)).</summary>
/// <param name="User">User id of its owner, as this program sees it.</param>
/// <param name="Group">Id of its group.</param>
/// <param name="Mode">What it is and who may do what with it: the bits of <c>st_mode</c> (inode(7)).</param>
/// <param name="Size">Its length in bytes.</param>
/// <param name="Modified">When its content was last changed, in nanoseconds since 1970; to be compared.</param>
/// <param name="Identity">Which file it is.</param>
public readonly partial record struct FileStatus(uint User, uint Group, int Mode, long Size, long Modified, FileIdentity Identity)
{
    // struct statx, the same on every architecture (linux/stat.h).
    private const int StatusSize = 256;
    private const int UserOffset = 20;
    private const int GroupOffset = 24;
    private const int ModeOffset = 28;
    private const int NumberOffset = 32;
    private const int SizeOffset = 40;
    private const int ModifiedSecondsOffset = 112;
    private const int ModifiedNanosecondsOffset = 120;
    private const int DeviceMajorOffset = 136;
    private const int DeviceMinorOffset = 140;

    // STATX_BASIC_STATS; S_IFMT and its values.
    private const uint Everything = 0x7FF;
    private const int KindMask = 0xF000;
    private const int Link = 0xA000;
    private const int File = 0x8000;
    private const int Directory = 0x4000;
    private const int Pipe = 0x1000;
    private const int Socket = 0xC000;

    /// <summary>User id with whose rights this program works.</summary>
    public static uint EffectiveUser => EffectiveUserId();

    /// <summary>True for a regular file.</summary>
    public bool IsFile => (Mode & KindMask) == File;

    /// <summary>True for a directory.</summary>
    public bool IsDirectory => (Mode & KindMask) == Directory;

    /// <summary>True for a symbolic link.</summary>
    public bool IsLink => (Mode & KindMask) == Link;

    /// <summary>True for a pipe with a name.</summary>
    public bool IsPipe => (Mode & KindMask) == Pipe;

    /// <summary>True for a socket with a name.</summary>
    public bool IsSocket => (Mode & KindMask) == Socket;

    /// <summary>That of what a path names.</summary>
    /// <param name="path">The path.</param>
    /// <param name="ofLink">True for that of a link itself; else it is followed.</param>
    /// <returns>Null when it is not there or does not let itself be looked at.</returns>
    public static FileStatus? Of(string path, bool ofLink = false) => Of(OpenLayout.CurrentDirectory, path, ofLink ? OpenLayout.OfTheLink : 0);

    /// <summary>That of an open file.</summary>
    /// <param name="file">The file; a descriptor that only names it does.</param>
    /// <returns>Null when the system does not tell.</returns>
    public static FileStatus? Of(SafeFileHandle file)
    {
        bool isKept = false;
        try
        {
            file.DangerousAddRef(ref isKept);
            return Of((int)file.DangerousGetHandle(), "", OpenLayout.OfTheDescriptor);
        }
        finally
        {
            if (isKept)
            {
                file.DangerousRelease();
            }
        }
    }

    /// <summary>That of an entry of a directory.</summary>
    /// <param name="directory">Descriptor of the directory, or <see cref="OpenLayout.CurrentDirectory"/>.</param>
    /// <param name="path">Path from there on; empty with <see cref="OpenLayout.OfTheDescriptor"/>.</param>
    /// <param name="flags">Numbers of <see cref="OpenLayout"/>.</param>
    /// <returns>Null when it is not there or does not let itself be looked at.</returns>
    public static unsafe FileStatus? Of(int directory, string path, int flags)
    {
        byte* status = stackalloc byte[StatusSize];
        if (StatusAt(directory, path, flags, Everything, status) != 0)
        {
            return null;
        }

        ReadOnlySpan<byte> bytes = new(status, StatusSize);
        return new FileStatus(
            Number(bytes, UserOffset),
            Number(bytes, GroupOffset),
            BinaryPrimitives.ReadUInt16LittleEndian(bytes[ModeOffset..]),
            BinaryPrimitives.ReadInt64LittleEndian(bytes[SizeOffset..]),
            unchecked((BinaryPrimitives.ReadInt64LittleEndian(bytes[ModifiedSecondsOffset..]) * 1_000_000_000) + Number(bytes, ModifiedNanosecondsOffset)),
            new FileIdentity(Number(bytes, DeviceMajorOffset), Number(bytes, DeviceMinorOffset), BinaryPrimitives.ReadUInt64LittleEndian(bytes[NumberOffset..])));
    }

    private static uint Number(ReadOnlySpan<byte> status, int offset) => BinaryPrimitives.ReadUInt32LittleEndian(status[offset..]);

    [LibraryImport("libc", EntryPoint = "statx", StringMarshalling = StringMarshalling.Utf8)]
    private static unsafe partial int StatusAt(int directory, string path, int flags, uint mask, byte* status);

    [LibraryImport("libc", EntryPoint = "geteuid")]
    private static partial uint EffectiveUserId();
}

/// <summary>Which file it is, whatever it is called.</summary>
/// <param name="DeviceMajor">Major number of the device that it lies on.</param>
/// <param name="DeviceMinor">Minor number of that device.</param>
/// <param name="Number">Its number there (inode).</param>
public readonly record struct FileIdentity(uint DeviceMajor, uint DeviceMinor, ulong Number);
