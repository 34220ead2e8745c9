using System.Buffers.Binary;
using System.IO.Compression;

namespace Dump.Readers.Cabinets;

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
