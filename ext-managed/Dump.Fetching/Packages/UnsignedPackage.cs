using System.Buffers.Binary;
using System.Text;
using Dump.Fetching.Signatures;

namespace Dump.Fetching.Packages;

/// <summary>
/// Takes the signature out of a signed package and leaves the archive that was signed, byte for byte: the content hash of a signature is that of the whole file
/// without the signature's entry (NuGet, "Package Signatures Technical Details"). What is read from the file afterwards is what was hashed, whatever other
/// readers of archives would make of the signed form.
/// </summary>
internal static class UnsignedPackage
{
    private const string SignatureName = ".signature.p7s";
    private const int MostSignatureBytes = 1 << 20;
    private const int MostDirectoryBytes = 32 << 20;

    /// <summary>Makes the package unsigned, in place.</summary>
    /// <param name="package">A private copy of the package, readable and writable. Its content is of no use when this fails.</param>
    /// <returns>The signature.</returns>
    /// <exception cref="UnverifiedException">It is no signed package as NuGet writes them, with the signature as its last entry.</exception>
    public static byte[] Make(FileStream package)
    {
        byte[] end = Read(package, package.Length - ZipLayout.EndSize, ZipLayout.EndSize);
        int entries = Word(end, ZipLayout.EndEntries);
        uint size = Number(end, ZipLayout.EndDirectorySize);
        uint start = Number(end, ZipLayout.EndDirectoryOffset);
        if (Number(end, 0) != ZipLayout.EndOfDirectory || Word(end, ZipLayout.EndCommentLength) != 0 || Word(end, ZipLayout.EndDisk) != 0
            || Word(end, ZipLayout.EndDirectoryDisk) != 0 || Word(end, ZipLayout.EndEntriesHere) != entries || size > MostDirectoryBytes
            || start + (long)size + ZipLayout.EndSize != package.Length)
        {
            throw new UnverifiedException("it is no whole package: its directory does not end the file");
        }

        byte[] directory = Read(package, start, (int)size);
        int last = LastEntry(directory, entries);
        long content = ContentOf(package, directory.AsSpan(last), start, out long at, out int length);
        byte[] signature = Read(package, content, length);

        BinaryPrimitives.WriteUInt16LittleEndian(end.AsSpan(ZipLayout.EndEntries), (ushort)(entries - 1));
        BinaryPrimitives.WriteUInt16LittleEndian(end.AsSpan(ZipLayout.EndEntriesHere), (ushort)(entries - 1));
        BinaryPrimitives.WriteUInt32LittleEndian(end.AsSpan(ZipLayout.EndDirectorySize), (uint)last);
        BinaryPrimitives.WriteUInt32LittleEndian(end.AsSpan(ZipLayout.EndDirectoryOffset), (uint)at);
        package.Position = at;
        package.Write(directory, 0, last);
        package.Write(end);
        package.SetLength(package.Position);
        return signature;
    }

    /// <summary>Where in the directory its last entry begins, which must be the signature's and the only one of its name.</summary>
    private static int LastEntry(byte[] directory, int entries)
    {
        int at = 0;
        for (int i = 0; i < entries; i++)
        {
            if (directory.Length - at < ZipLayout.DirectoryEntrySize || Number(directory, at) != ZipLayout.DirectoryEntry)
            {
                break;
            }

            int nameLength = Word(directory, at + ZipLayout.EntryNameLength);
            int next = at + ZipLayout.DirectoryEntrySize + nameLength
                + Word(directory, at + ZipLayout.EntryExtraLength) + Word(directory, at + ZipLayout.EntryCommentLength);
            if (next > directory.Length)
            {
                break;
            }

            bool isSignature = Encoding.UTF8.GetString(directory, at + ZipLayout.DirectoryEntrySize, nameLength)
                .Equals(SignatureName, StringComparison.OrdinalIgnoreCase);
            if (i == entries - 1)
            {
                return isSignature && next == directory.Length ? at : throw new UnverifiedException("it is not signed");
            }

            if (isSignature)
            {
                throw new UnverifiedException("its signature is not its last file");
            }

            at = next;
        }

        throw new UnverifiedException("its directory is damaged");
    }

    private static long ContentOf(FileStream package, ReadOnlySpan<byte> entry, uint directory, out long at, out int length)
    {
        at = BinaryPrimitives.ReadUInt32LittleEndian(entry[ZipLayout.EntryOffset..]);
        uint size = BinaryPrimitives.ReadUInt32LittleEndian(entry[ZipLayout.EntrySize..]);
        bool isStored = BinaryPrimitives.ReadUInt16LittleEndian(entry[ZipLayout.EntryMethod..]) == 0
            && BinaryPrimitives.ReadUInt16LittleEndian(entry[ZipLayout.EntryFlags..]) == 0
            && BinaryPrimitives.ReadUInt32LittleEndian(entry[ZipLayout.EntryPackedSize..]) == size;
        if (!isStored || size > MostSignatureBytes || at >= directory)
        {
            throw new UnverifiedException("its signature is not stored as the format asks for");
        }

        byte[] header = Read(package, at, ZipLayout.LocalHeaderSize);
        long content = at + ZipLayout.LocalHeaderSize + Word(header, ZipLayout.LocalNameLength) + Word(header, ZipLayout.LocalExtraLength);
        if (Number(header, 0) != ZipLayout.LocalHeader || content + size != directory)
        {
            throw new UnverifiedException("its signature is not its last file");
        }

        length = (int)size;
        return content;
    }

    private static byte[] Read(FileStream package, long offset, int size)
    {
        byte[] bytes = new byte[size];
        if (offset < 0)
        {
            throw new UnverifiedException("it is no package");
        }

        package.Position = offset;
        return package.ReadAtLeast(bytes, size, throwOnEndOfStream: false) == size ? bytes : throw new UnverifiedException("it is cut off");
    }

    private static int Word(byte[] bytes, int offset) => BinaryPrimitives.ReadUInt16LittleEndian(bytes.AsSpan(offset));

    private static uint Number(byte[] bytes, int offset) => BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(offset));
}

/// <summary>Offsets of zip archives (PKWARE, APPNOTE.TXT 6.3: 4.3.7, 4.3.12, 4.3.16).</summary>
internal static class ZipLayout
{
    public const uint LocalHeader = 0x04034B50;
    public const int LocalHeaderSize = 30;
    public const int LocalNameLength = 26;
    public const int LocalExtraLength = 28;

    public const uint DirectoryEntry = 0x02014B50;
    public const int DirectoryEntrySize = 46;
    public const int EntryFlags = 8;
    public const int EntryMethod = 10;
    public const int EntryPackedSize = 20;
    public const int EntrySize = 24;
    public const int EntryNameLength = 28;
    public const int EntryExtraLength = 30;
    public const int EntryCommentLength = 32;
    public const int EntryOffset = 42;

    public const uint EndOfDirectory = 0x06054B50;
    public const int EndSize = 22;
    public const int EndDisk = 4;
    public const int EndDirectoryDisk = 6;
    public const int EndEntriesHere = 8;
    public const int EndEntries = 10;
    public const int EndDirectorySize = 12;
    public const int EndDirectoryOffset = 16;
    public const int EndCommentLength = 20;
}
