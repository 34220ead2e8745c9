using System.Buffers.Binary;

namespace Dump.Triage.Archives;

/// <summary>Header and trailer of a part of a gzip file. Source: RFC 1952 2.3 and 2.3.1.</summary>
internal static class GzipLayout
{
    private const int HeaderSize = 10;
    private const int FlagsOffset = 3;
    private const int HasHeaderChecksum = 0x02;
    private const int HasExtra = 0x04;
    private const int HasName = 0x08;
    private const int HasComment = 0x10;
    private const int Reserved = 0xE0;
    private const int TrailerSize = 8;
    private const int SizeOffset = 4;
    private const int LongestText = 1 << 16;

    // What DeflateStream takes at a time: the data of a part end in what it took last.
    private const int TakenAtATime = 1 << 13;
    private const int MostPadding = 1 << 20;
    private const int LeastDistance = 1 << 10;
    private const int NearFraction = 100;

    /// <summary>Bytes that <see cref="FindTrailer"/> needs.</summary>
    public const int SearchSize = TakenAtATime + TrailerSize + 3;

    /// <summary>Signature and method (deflate) of a part.</summary>
    private static ReadOnlySpan<byte> Signature => [0x1F, 0x8B, 0x08];

    /// <summary>Reads the header of a part.</summary>
    /// <param name="file">Stands at the header; afterwards at the compressed data.</param>
    /// <returns>What is wrong with it, as a clause; null when nothing is.</returns>
    public static string? SkipHeader(FileStream file)
    {
        const string Cut = "it is cut off in its header";
        Span<byte> header = stackalloc byte[HeaderSize];
        if (file.ReadAtLeast(header, HeaderSize, throwOnEndOfStream: false) < HeaderSize)
        {
            return Cut;
        }

        int flags = header[FlagsOffset];
        if (!header.StartsWith(Signature) || (flags & Reserved) != 0)
        {
            return "its header is damaged";
        }

        bool isWhole = (flags & HasExtra) == 0 || SkipExtra(file);
        isWhole = isWhole && ((flags & HasName) == 0 || SkipText(file)) && ((flags & HasComment) == 0 || SkipText(file));
        return isWhole && ((flags & HasHeaderChecksum) == 0 || Skip(file, sizeof(ushort))) ? null : Cut;
    }

    /// <summary>
    /// Finds the trailer of a part that was read to its end. Parts of the same content have the same trailer, and the decompressor may have taken several of
    /// them: the first one that another part or nothing stands behind is that of this part.
    /// </summary>
    /// <param name="file">The file.</param>
    /// <param name="search">Room for <see cref="SearchSize"/> bytes.</param>
    /// <param name="begin">Where the compressed data of the part begin.</param>
    /// <param name="taken">Where what the decompressor has taken ends.</param>
    /// <param name="checksum">CRC-32 of what it made of them.</param>
    /// <param name="size">The low 32 bits of the length of that.</param>
    /// <returns>Where the trailer ends, or null when it is not there.</returns>
    public static long? FindTrailer(FileStream file, Span<byte> search, long begin, long taken, uint checksum, uint size)
    {
        Span<byte> trailer = stackalloc byte[TrailerSize];
        BinaryPrimitives.WriteUInt32LittleEndian(trailer, checksum);
        BinaryPrimitives.WriteUInt32LittleEndian(trailer[SizeOffset..], size);
        long start = Math.Max(begin, taken - TakenAtATime);
        file.Position = start;
        Span<byte> wanted = search[..(int)(taken - start + TrailerSize + Signature.Length)];
        ReadOnlySpan<byte> bytes = wanted[..file.ReadAtLeast(wanted, wanted.Length, throwOnEndOfStream: false)];
        (long? first, long? last) = (null, null);
        for (int next, at = 0; (next = bytes[at..].IndexOf(trailer)) >= 0; at++)
        {
            at += next;
            last = start + at + TrailerSize;
            first ??= last;
            if (bytes[(at + TrailerSize)..].StartsWith(Signature))
            {
                return last;
            }
        }

        if (last is not { } place || first == last)
        {
            return first;
        }

        // Zeros up to the end stand behind the last one if behind any.
        file.Position = place;
        return ReadRest(file, search) == GzipRest.Nothing ? last : first;
    }

    /// <summary>
    /// True when a file ends with about the size of its last part, so that its end is there and the damage
    /// lies before it. Of a file that is cut off these bytes may be anything, and are that rarely.
    /// </summary>
    /// <param name="file">The file.</param>
    /// <param name="size">What the part unpacks to, in bytes.</param>
    public static bool EndsWithSizeLike(FileStream file, long size)
    {
        Span<byte> field = stackalloc byte[sizeof(uint)];
        file.Position = Math.Max(0, file.Length - field.Length);
        return file.ReadAtLeast(field, field.Length, throwOnEndOfStream: false) == field.Length
            && Math.Abs((long)unchecked((int)(BinaryPrimitives.ReadUInt32LittleEndian(field) - (uint)size))) <= Math.Max(LeastDistance, size / NearFraction);
    }

    /// <summary>What stands from the file's place on. Zeros are looked at for 1 MiB: a sparse file may have any number of them.</summary>
    /// <param name="file">The file.</param>
    /// <param name="buffer">Room for what is read at a time.</param>
    public static GzipRest ReadRest(FileStream file, Span<byte> buffer)
    {
        int length = file.ReadAtLeast(buffer[..Signature.Length], Signature.Length, throwOnEndOfStream: false);
        if (buffer[..length].StartsWith(Signature))
        {
            return GzipRest.Part;
        }

        for (int looked = 0; length > 0 && looked < MostPadding; looked += length)
        {
            if (buffer[..length].ContainsAnyExcept((byte)0))
            {
                return GzipRest.Foreign;
            }

            length = file.Read(buffer);
        }

        return GzipRest.Nothing;
    }

    private static bool SkipExtra(FileStream file)
    {
        Span<byte> length = stackalloc byte[sizeof(ushort)];
        return file.ReadAtLeast(length, length.Length, throwOnEndOfStream: false) == length.Length
            && Skip(file, BinaryPrimitives.ReadUInt16LittleEndian(length));
    }

    private static bool Skip(FileStream file, int length)
    {
        file.Position += length;
        return file.Position <= file.Length;
    }

    private static bool SkipText(FileStream file)
    {
        for (int i = 0; i < LongestText; i++)
        {
            switch (file.ReadByte())
            {
                case 0:
                    return true;
                case -1:
                    return false;
            }
        }

        return false;
    }
}

/// <summary>What stands behind a part of a gzip file.</summary>
internal enum GzipRest
{
    /// <summary>Nothing, or zeros: files on tapes and blocks of disks end with such.</summary>
    Nothing,

    /// <summary>Another part.</summary>
    Part,

    /// <summary>Something else.</summary>
    Foreign,
}
