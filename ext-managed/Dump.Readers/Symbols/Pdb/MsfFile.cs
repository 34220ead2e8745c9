using System.Buffers.Binary;
using System.Numerics;
using Dump.Readers.Minidump;

namespace Dump.Readers.Symbols.Pdb;

/// <summary>
/// A multi-stream file (MSF 7.0), the container of program databases, read only. All block numbers and sizes are checked on opening; streams cannot be
/// larger than the file all together, so that walking them takes no longer than the file is.
/// </summary>
internal sealed class MsfFile : IDisposable
{
    private const uint MaxDirectorySize = 64 << 20;
    private readonly FileBytes _file;
    private readonly uint _blockSize;
    private readonly uint _blockCount;
    private readonly MsfStream[] _streams;

    /// <summary>Reads the directory of a file. Takes over the file, also when that fails.</summary>
    /// <exception cref="InvalidPdbException">It is no MSF 7.0 file or damaged.</exception>
    public MsfFile(FileBytes file)
    {
        _file = file;
        try
        {
            Span<byte> super = stackalloc byte[PdbLayout.SuperBlockSize];
            if (file.Read(0, super) < super.Length || !super.StartsWith(PdbLayout.Magic))
            {
                throw new InvalidPdbException(super.StartsWith(PdbLayout.CompressedMagic)
                    ? "it is in the compressed form MSFZ, which is not read; replace it by its plain form (MSF 7.0)"
                    : "it is no program database in the MSF 7.0 format");
            }

            _blockSize = BinaryPrimitives.ReadUInt32LittleEndian(super[PdbLayout.BlockSize..]);
            _blockCount = BinaryPrimitives.ReadUInt32LittleEndian(super[PdbLayout.BlockCount..]);
            if (_blockSize is < PdbLayout.SmallestBlock or > PdbLayout.LargestBlock || !BitOperations.IsPow2(_blockSize) || _blockCount == 0)
            {
                throw new InvalidPdbException("its size or number of blocks is impossible");
            }

            if ((long)_blockCount * _blockSize > file.Length)
            {
                throw new InvalidPdbException("it is cut short");
            }

            _streams = ReadDirectory(BinaryPrimitives.ReadUInt32LittleEndian(super[PdbLayout.DirectorySize..]));
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <summary>A stream by its number.</summary>
    /// <exception cref="InvalidPdbException">There is none.</exception>
    public MsfStream Stream(int number) => number < _streams.Length && number >= 0
        ? _streams[number]
        : throw new InvalidPdbException("it names a stream that it does not have");

    /// <inheritdoc/>
    public void Dispose() => _file.Dispose();

    private MsfStream[] ReadDirectory(uint size)
    {
        if (size > Math.Min(_file.Length, MaxDirectorySize) || size < sizeof(uint))
        {
            throw new InvalidPdbException("the size of its directory is impossible");
        }

        // Two steps: the blocks named in the header hold the numbers of the blocks that hold the directory.
        int blocks = BlocksFor(size);
        int mapBlocks = BlocksFor((uint)blocks * sizeof(uint));
        if (PdbLayout.DirectoryMap + (mapBlocks * sizeof(uint)) > _blockSize)
        {
            throw new InvalidPdbException("the size of its directory is impossible");
        }

        byte[] mapNumbers = new byte[mapBlocks * sizeof(uint)];
        if (_file.Read(PdbLayout.DirectoryMap, mapNumbers) < mapNumbers.Length)
        {
            throw new InvalidPdbException("it is cut short");
        }

        byte[] numbers = Whole(new MsfStream(_file, _blockSize, Numbers(mapNumbers), (uint)blocks * sizeof(uint)));
        return Decode(Numbers(Whole(new MsfStream(_file, _blockSize, Numbers(numbers), size)), areBlocks: false));
    }

    /// <summary>The directory: the number of streams, the size of each, then the block numbers of each.</summary>
    private MsfStream[] Decode(uint[] directory)
    {
        uint count = directory[0];
        if (count >= PdbLayout.NoStream || count > directory.Length - 1)
        {
            throw new InvalidPdbException("its number of streams is impossible");
        }

        MsfStream[] streams = new MsfStream[count];
        long next = 1 + count;
        long owned = 0;
        for (int i = 0; i < streams.Length; i++)
        {
            uint size = directory[i + 1] == PdbLayout.NoSize ? 0 : directory[i + 1];
            int blocks = BlocksFor(size);
            owned += i == PdbLayout.OldDirectoryStream ? 0 : blocks;
            if (blocks > directory.Length - next || owned > _blockCount)
            {
                throw new InvalidPdbException("its streams are larger than the file");
            }

            uint[] numbers = directory[(int)next..(int)(next + blocks)];
            streams[i] = new MsfStream(_file, _blockSize, Checked(numbers), size);
            next += blocks;
        }

        return streams;
    }

    private int BlocksFor(uint size) => (int)(((ulong)size + _blockSize - 1) / _blockSize);

    private static byte[] Whole(MsfStream stream)
    {
        byte[] bytes = new byte[stream.Size];
        stream.Read(0, bytes);
        return bytes;
    }

    private uint[] Numbers(ReadOnlySpan<byte> bytes, bool areBlocks = true)
    {
        uint[] numbers = new uint[bytes.Length / sizeof(uint)];
        for (int i = 0; i < numbers.Length; i++)
        {
            numbers[i] = BinaryPrimitives.ReadUInt32LittleEndian(bytes[(i * sizeof(uint))..]);
        }

        return areBlocks ? Checked(numbers) : numbers;
    }

    private uint[] Checked(uint[] blocks) => blocks.AsSpan().ContainsAnyExceptInRange(0u, _blockCount - 1)
        ? throw new InvalidPdbException("it names a block that it does not have")
        : blocks;
}
