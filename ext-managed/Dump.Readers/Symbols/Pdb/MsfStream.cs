using System.Buffers.Binary;
using Dump.Readers.Minidump;

namespace Dump.Readers.Symbols.Pdb;

/// <summary>One stream of a multi-stream file: bytes spread over blocks. Safe for concurrent use.</summary>
/// <param name="file">The file.</param>
/// <param name="blockSize">Size of a block in bytes.</param>
/// <param name="blocks">Numbers of the stream's blocks, all inside the file and enough for the size.</param>
/// <param name="size">Size of the stream in bytes.</param>
internal sealed class MsfStream(FileBytes file, uint blockSize, uint[] blocks, uint size)
{
    /// <summary>Size in bytes; 0 for a stream that was deleted.</summary>
    public uint Size => size;

    /// <summary>Fills a buffer.</summary>
    /// <exception cref="InvalidPdbException">The range does not lie in the stream.</exception>
    public void Read(uint offset, Span<byte> destination)
    {
        if (offset > size || (uint)destination.Length > size - offset)
        {
            throw new InvalidPdbException("one of its streams is shorter than its content says");
        }

        while (!destination.IsEmpty)
        {
            uint inBlock = offset % blockSize;
            int step = (int)Math.Min(blockSize - inBlock, (uint)destination.Length);
            if (file.Read(((long)blocks[offset / blockSize] * blockSize) + inBlock, destination[..step]) < step)
            {
                throw new InvalidPdbException("it is cut short");
            }

            offset += (uint)step;
            destination = destination[step..];
        }
    }

    /// <summary>A 16-bit value.</summary>
    /// <exception cref="InvalidPdbException">It does not lie in the stream.</exception>
    public ushort UInt16(uint offset)
    {
        Span<byte> bytes = stackalloc byte[sizeof(ushort)];
        Read(offset, bytes);
        return BinaryPrimitives.ReadUInt16LittleEndian(bytes);
    }

    /// <summary>A 32-bit value.</summary>
    /// <exception cref="InvalidPdbException">It does not lie in the stream.</exception>
    public uint UInt32(uint offset)
    {
        Span<byte> bytes = stackalloc byte[sizeof(uint)];
        Read(offset, bytes);
        return BinaryPrimitives.ReadUInt32LittleEndian(bytes);
    }
}
