using System.Buffers.Binary;
using System.Globalization;
using System.IO.Compression;
using System.Text;
using Dump.Readers.Files;

namespace Dump.Readers.Cabinets;

/// <summary>
/// What is in a cabinet ([MS-CAB]), and its stored and MSZIP files unpacked, by code that no damaged file harms. LZX and Quantum are left to Windows' own library
/// and to <c>cabextract</c>.
/// </summary>
public sealed class CabinetContents
{
    /// <summary>Most files that a cabinet may have.</summary>
    public const int MostMembers = 1_000;

    private readonly Stream _input;
    private readonly CabinetFolder[] _folders;
    private readonly int _blockReserve;
    private readonly string _shown;

    private CabinetContents(Stream input, CabinetFolder[] folders, int blockReserve, CabinetMember[] members, string shown) =>
        (_input, _folders, _blockReserve, Members, _shown) = (input, folders, blockReserve, members, shown);

    /// <summary>Its files, in their order.</summary>
    public IReadOnlyList<CabinetMember> Members { get; }

    /// <summary>Reads the tables of a cabinet.</summary>
    /// <param name="input">The cabinet; it stays the caller's, and is read from as long as its files are.</param>
    /// <param name="shown">Its name, as a command line may hold it.</param>
    /// <exception cref="InvalidDataException">It is no cabinet, damaged, or one of several; the message says so as a clause.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    public static CabinetContents Read(Stream input, string shown)
    {
        input.Position = 0;
        byte[] header = Take(input, CabinetLayout.HeaderSize);
        if (BinaryPrimitives.ReadUInt32LittleEndian(header) != CabinetLayout.Signature)
        {
            throw new InvalidDataException("it is no cabinet");
        }

        int flags = Word(header, CabinetLayout.HeaderFlags);
        if ((flags & CabinetLayout.FlagsOfSeries) != 0)
        {
            throw new InvalidDataException("it is one of several that belong together");
        }

        int count = Word(header, CabinetLayout.HeaderFileCount);
        if (count > MostMembers)
        {
            throw new InvalidDataException($"it has more than {MostMembers} members");
        }

        byte[] reserve = (flags & CabinetLayout.FlagReserve) != 0 ? Take(input, CabinetLayout.ReserveSize) : new byte[CabinetLayout.ReserveSize];
        input.Position += Word(reserve, 0);
        var folders = new CabinetFolder[Word(header, CabinetLayout.HeaderFolderCount)];
        for (int i = 0; i < folders.Length; i++)
        {
            byte[] folder = Take(input, CabinetLayout.FolderSize + reserve[CabinetLayout.ReserveFolder]);
            folders[i] = new CabinetFolder(BinaryPrimitives.ReadUInt32LittleEndian(folder), Word(folder, CabinetLayout.FolderBlocks),
                Word(folder, CabinetLayout.FolderCompression) & CabinetLayout.CompressionMask);
        }

        input.Position = BinaryPrimitives.ReadUInt32LittleEndian(header.AsSpan(CabinetLayout.HeaderFiles));
        var members = new CabinetMember[count];
        for (int i = 0; i < count; i++)
        {
            members[i] = TakeMember(input, folders.Length);
        }

        return new CabinetContents(input, folders, reserve[CabinetLayout.ReserveData], members, shown);
    }

    /// <summary>Why it has files that are not unpacked here, as a clause; null when all are.</summary>
    public string? Refusal => Members.Select(m => m.Folder).Distinct().Select(RefusalOf).FirstOrDefault(r => r is not null);

    /// <summary>
    /// The content of a file, from its beginning; one at a time. It ends behind <see cref="CabinetMember.Size"/> bytes, or earlier where the cabinet does.
    /// </summary>
    /// <param name="member">One of <see cref="Members"/>.</param>
    /// <exception cref="InvalidDataException">It is compressed by a method that is not unpacked here. The stream throws it too, for damaged blocks.</exception>
    public Stream Open(CabinetMember member)
    {
        CabinetFolder folder = _folders[member.Folder];
        if (RefusalOf(member.Folder) is { } refusal)
        {
            throw new InvalidDataException(refusal);
        }

        _input.Position = folder.Data;
        return new CabinetStream(new CabinetBlocks(_input, folder.Method == CabinetLayout.MsZip, _blockReserve), folder.Blocks, member.Offset, member.Size);
    }

    private string? RefusalOf(int folder) => _folders[folder].Method switch
    {
        CabinetLayout.Stored or CabinetLayout.MsZip => null,
        CabinetLayout.Lzx => Refused("LZX"),
        CabinetLayout.Quantum => Refused("Quantum"),
        _ => Refused("an unknown method"),
    };

    private string Refused(string method) => $"it is compressed by {method}, which is unpacked on Windows only; unpack it first: cabextract {_shown}";

    private static CabinetMember TakeMember(Stream input, int folders)
    {
        byte[] file = Take(input, CabinetLayout.FileSize);
        int folder = Word(file, CabinetLayout.FileFolder);
        if (folder >= folders)
        {
            throw new InvalidDataException("its file belongs to a folder that it does not have");
        }

        bool isUtf8 = (Word(file, CabinetLayout.FileAttributes) & CabinetLayout.NameIsUtf8) != 0;
        return new CabinetMember(TakeName(input, isUtf8 ? Encoding.UTF8 : Encoding.Latin1), BinaryPrimitives.ReadUInt32LittleEndian(file),
            BinaryPrimitives.ReadUInt32LittleEndian(file.AsSpan(CabinetLayout.FileOffset)), folder);
    }

    private static string TakeName(Stream input, Encoding encoding)
    {
        Span<byte> name = stackalloc byte[CabinetLayout.LongestName];
        for (int i = 0; i < name.Length; i++)
        {
            int next = input.ReadByte();
            if (next <= 0)
            {
                return next < 0 ? throw new InvalidDataException("it is cut off; copy it again") : encoding.GetString(name[..i]);
            }

            name[i] = (byte)next;
        }

        throw new InvalidDataException(
            string.Create(CultureInfo.InvariantCulture, $"it is damaged: a name in it is longer than {CabinetLayout.LongestName} bytes"));
    }

    private static byte[] Take(Stream input, int size)
    {
        byte[] bytes = new byte[size];
        return input.ReadAtLeast(bytes, size, throwOnEndOfStream: false) == size ? bytes : throw new InvalidDataException("it is cut off; copy it again");
    }

    private static int Word(byte[] bytes, int offset) => BinaryPrimitives.ReadUInt16LittleEndian(bytes.AsSpan(offset));
}

/// <summary>A folder of a cabinet: blocks that are compressed together.</summary>
/// <param name="Data">Where its first block stands in the cabinet.</param>
/// <param name="Blocks">How many blocks it has.</param>
/// <param name="Method">CFFOLDER.typeCompress without the method's settings.</param>
internal readonly record struct CabinetFolder(long Data, int Blocks, int Method);

/// <summary>A file in a cabinet.</summary>
/// <param name="Name">Its name there, as written: never a path on this machine.</param>
/// <param name="Size">Bytes that it says to have.</param>
/// <param name="Offset">Where it begins in what its folder unpacks to.</param>
/// <param name="Folder">The folder of the cabinet that it lies in: files of one folder are compressed together.</param>
public sealed record CabinetMember(string Name, long Size, long Offset, int Folder);

/// <summary>The content of a file in a cabinet, read once and forward.</summary>
/// <param name="blocks">The blocks of its folder.</param>
/// <param name="count">How many there are.</param>
/// <param name="skip">Bytes of the folder in front of the file.</param>
/// <param name="size">Bytes of the file.</param>
internal sealed class CabinetStream(CabinetBlocks blocks, int count, long skip, long size) : ReadOnlyStream
{
    private readonly byte[] _block = new byte[CabinetLayout.MostOfPackedBlock];
    private int _next;
    private int _length;
    private int _blocksLeft = count;
    private long _skip = skip;
    private long _left = size;

    /// <inheritdoc/>
    /// <exception cref="InvalidDataException">A block is damaged.</exception>
    public override int Read(Span<byte> buffer)
    {
        while (_next == _length && _blocksLeft > 0 && _left > 0)
        {
            ReadOnlySpan<byte> block = blocks.Next();
            block.CopyTo(_block);
            _blocksLeft--;
            _next = (int)Math.Min(_skip, block.Length);
            _skip -= _next;
            _length = block.Length;
        }

        int length = (int)Math.Min(Math.Min(buffer.Length, _length - _next), _left);
        _block.AsSpan(_next, length).CopyTo(buffer);
        _next += length;
        _left -= length;
        return length;
    }
}

/// <summary>The data blocks of a cabinet's folder, one after the other.</summary>
/// <param name="input">The cabinet, at the folder's first block.</param>
/// <param name="isPacked">True for MSZIP, false for stored blocks.</param>
/// <param name="reserve">Size of the reserved area of each block.</param>
internal sealed class CabinetBlocks(Stream input, bool isPacked, int reserve)
{
    private const int StoredBlockHeader = 5;
    private readonly byte[] _header = new byte[CabinetLayout.DataSize + reserve];
    private readonly byte[] _packed = new byte[CabinetLayout.MostOfPackedBlock];
    private readonly byte[] _unpacked = new byte[CabinetLayout.MostOfBlock];
    private int _history;

    /// <summary>The next block unpacked; valid until the next call.</summary>
    /// <exception cref="InvalidDataException">It is damaged.</exception>
    public ReadOnlySpan<byte> Next()
    {
        Fill(_header);
        int packed = BinaryPrimitives.ReadUInt16LittleEndian(_header.AsSpan(CabinetLayout.DataPacked));
        int unpacked = BinaryPrimitives.ReadUInt16LittleEndian(_header.AsSpan(CabinetLayout.DataUnpacked));
        if (packed > CabinetLayout.MostOfPackedBlock || unpacked > CabinetLayout.MostOfBlock)
        {
            throw Damaged();
        }

        Span<byte> data = _packed.AsSpan(0, packed);
        Fill(data);
        uint checksum = BinaryPrimitives.ReadUInt32LittleEndian(_header);
        if (checksum != 0 && checksum != Checksum(_header.AsSpan(CabinetLayout.DataPacked), Checksum(data, 0)))
        {
            throw new InvalidDataException("it is damaged: a checksum does not fit");
        }

        if (!isPacked)
        {
            return packed == unpacked ? data : throw Damaged();
        }

        Inflate(data, unpacked);
        return _unpacked.AsSpan(0, unpacked);
    }

    /// <summary>
    /// A block of MSZIP is "CK" and a deflate stream that may refer to the block before it ([MS-MCI] 2). A stored deflate block of that content in front of it
    /// says the same to a decoder that knows no such history.
    /// </summary>
    private void Inflate(ReadOnlySpan<byte> data, int unpacked)
    {
        if (!data.StartsWith("CK"u8))
        {
            throw Damaged();
        }

        byte[] stream = new byte[(_history > 0 ? StoredBlockHeader + _history : 0) + data.Length - 2];
        if (_history > 0)
        {
            BinaryPrimitives.WriteUInt16LittleEndian(stream.AsSpan(1), (ushort)_history);
            BinaryPrimitives.WriteUInt16LittleEndian(stream.AsSpan(3), (ushort)~_history);
            _unpacked.AsSpan(0, _history).CopyTo(stream.AsSpan(StoredBlockHeader));
        }

        data[2..].CopyTo(stream.AsSpan(stream.Length - (data.Length - 2)));
        using DeflateStream inflater = new(new MemoryStream(stream), CompressionMode.Decompress);
        Span<byte> known = new byte[_history];
        if (inflater.ReadAtLeast(known, known.Length, throwOnEndOfStream: false) != known.Length
            || inflater.ReadAtLeast(_unpacked.AsSpan(0, unpacked), unpacked, throwOnEndOfStream: false) != unpacked)
        {
            throw Damaged();
        }

        _history = unpacked;
    }

    private void Fill(Span<byte> bytes)
    {
        if (input.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false) != bytes.Length)
        {
            throw new InvalidDataException("it is cut off; copy it again");
        }
    }

    /// <summary>[MS-CAB] 3.1: words are combined by exclusive or; the one to three bytes at the end with the first as the highest.</summary>
    private static uint Checksum(ReadOnlySpan<byte> bytes, uint seed)
    {
        while (bytes.Length >= sizeof(uint))
        {
            seed ^= BinaryPrimitives.ReadUInt32LittleEndian(bytes);
            bytes = bytes[sizeof(uint)..];
        }

        uint rest = 0;
        foreach (byte value in bytes)
        {
            rest = (rest << 8) | value;
        }

        return seed ^ rest;
    }

    private static InvalidDataException Damaged() => new("it is damaged");
}
