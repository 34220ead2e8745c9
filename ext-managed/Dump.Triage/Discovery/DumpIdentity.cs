using System.Buffers.Binary;
using System.Text;
using Dump.Model.Contract;
using Dump.Model.Text;
using Dump.Readers.Files;
using Microsoft.Win32.SafeHandles;

namespace Dump.Triage.Discovery;

/// <summary>
/// Identity of a dump's content: SHA-256 of the name of this rule, the first MiB, sixteen blocks of 16 KiB in each doubling of the offset from 1 MiB on, the
/// last MiB, and the size. A dump of 500 MB costs 5 MB of reading, one of 100 GB 7 MB; a stream is read once from end to end.
/// </summary>
public static class DumpIdentity
{
    /// <summary>Bytes of the head and of the tail.</summary>
    public const int EndLength = 1 << 20;

    /// <summary>Bytes of a block in between.</summary>
    public const int BlockLength = 16 << 10;

    private const int BlocksInDoubling = 16;
    private static readonly byte[] s_rule = Encoding.ASCII.GetBytes(SchemaNames.Identity);

    /// <summary>Identity of a file, which may be as large as it likes.</summary>
    /// <param name="path">The file.</param>
    /// <param name="size">Its size in bytes.</param>
    /// <exception cref="IOException">It cannot be read, or became shorter meanwhile.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be read.</exception>
    public static string OfFile(string path, out long size)
    {
        using SafeFileHandle file = RegularFile.OpenHandle(path);
        size = RandomAccess.GetLength(file);
        return OfBytes(file, size);
    }

    /// <summary>Identity that a file had when it was shorter, if it has only grown since.</summary>
    /// <param name="path">The file.</param>
    /// <param name="size">Its size then, in bytes.</param>
    /// <returns>Null when it cannot be read so far.</returns>
    public static string? OfBeginning(string path, long size)
    {
        try
        {
            using SafeFileHandle file = RegularFile.OpenHandle(path);
            return OfBytes(file, size);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>Identity of a stream's content, the same as of a file with that content.</summary>
    /// <param name="content">The stream, read to its end.</param>
    /// <param name="size">Its length in bytes.</param>
    /// <exception cref="IOException">It cannot be read.</exception>
    /// <exception cref="InvalidDataException">It is damaged, or its reader refuses to go on.</exception>
    public static string OfStream(Stream content, out long size)
    {
        Sha256 hash = Begin();
        byte[] head = new byte[EndLength];
        int length = content.ReadAtLeast(head, head.Length, throwOnEndOfStream: false);
        hash.Append(head.AsSpan(0, length));
        size = length;
        RecentBytes recent = new(EndLength);
        recent.Append(head.AsSpan(0, length));
        if (length == EndLength)
        {
            size += AppendRest(hash, content, recent, head);
        }

        recent.CopyTo(hash);
        return End(hash, size);
    }

    /// <summary>Identity of something whose content cannot be had: of a member of an archive that is not unpacked.</summary>
    /// <param name="container">Identity of the archive.</param>
    /// <param name="member">Its name there.</param>
    public static string OfRefused(string container, string member)
    {
        Sha256 hash = Begin();
        hash.Append(Encoding.UTF8.GetBytes($"refused\0{container}\0{member}"));
        return End(hash, 0);
    }

    private static string OfBytes(SafeFileHandle file, long size)
    {
        Sha256 hash = Begin();
        byte[] buffer = new byte[EndLength];
        Append(hash, file, 0, buffer.AsSpan(0, (int)Math.Min(EndLength, size)));
        foreach (long start in BlockStarts(size))
        {
            Append(hash, file, start, buffer.AsSpan(0, BlockLength));
        }

        int tail = (int)Math.Min(EndLength, size);
        Append(hash, file, size - tail, buffer.AsSpan(0, tail));
        return End(hash, size);
    }

    // The starts of all blocks that lie wholly within a size, ascending.
    private static IEnumerable<long> BlockStarts(long size)
    {
        for (long doubling = EndLength; doubling <= size - BlockLength; doubling *= 2)
        {
            for (int i = 0; i < BlocksInDoubling && doubling + (doubling / BlocksInDoubling * i) <= size - BlockLength; i++)
            {
                yield return doubling + (doubling / BlocksInDoubling * i);
            }
        }
    }

    private static long AppendRest(Sha256 hash, Stream content, RecentBytes recent, byte[] buffer)
    {
        // Reading in blocks that begin where blocks begin: the distance of two is a multiple of the length of one.
        long position = EndLength;
        using IEnumerator<long> starts = BlockStarts(long.MaxValue / 2).GetEnumerator();
        starts.MoveNext();
        while (true)
        {
            int length = content.ReadAtLeast(buffer.AsSpan(0, BlockLength), BlockLength, throwOnEndOfStream: false);
            recent.Append(buffer.AsSpan(0, length));
            if (length == BlockLength && position == starts.Current)
            {
                hash.Append(buffer.AsSpan(0, length));
                starts.MoveNext();
            }

            position += length;
            if (length < BlockLength)
            {
                return position - EndLength;
            }
        }
    }

    private static Sha256 Begin()
    {
        var hash = new Sha256();
        hash.Append(s_rule);
        return hash;
    }

    private static void Append(Sha256 hash, SafeFileHandle file, long offset, Span<byte> target)
    {
        for (int done = 0; done < target.Length;)
        {
            int read = RandomAccess.Read(file, target[done..], offset + done);
            if (read == 0)
            {
                throw new IOException("the file became shorter while it was read");
            }

            done += read;
        }

        hash.Append(target);
    }

    private static string End(Sha256 hash, long size)
    {
        Span<byte> length = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(length, size);
        hash.Append(length);
        return Convert.ToHexStringLower(hash.Finish());
    }
}

/// <summary>The last bytes of a stream.</summary>
/// <param name="capacity">How many are kept.</param>
internal sealed class RecentBytes(int capacity)
{
    private readonly byte[] _ring = new byte[capacity];
    private int _next;
    private long _seen;

    /// <summary>Adds bytes, at most as many as are kept.</summary>
    public void Append(ReadOnlySpan<byte> bytes)
    {
        int first = Math.Min(bytes.Length, _ring.Length - _next);
        bytes[..first].CopyTo(_ring.AsSpan(_next));
        bytes[first..].CopyTo(_ring);
        _next = (_next + bytes.Length) % _ring.Length;
        _seen += bytes.Length;
    }

    /// <summary>Gives them to a hash, oldest first.</summary>
    public void CopyTo(Sha256 hash)
    {
        if (_seen >= _ring.Length)
        {
            hash.Append(_ring.AsSpan(_next));
        }

        hash.Append(_ring.AsSpan(0, _next));
    }
}
