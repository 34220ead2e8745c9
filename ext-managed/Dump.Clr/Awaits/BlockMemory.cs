using Dump.Readers;

namespace Dump.Clr.Awaits;

/// <summary>
/// Memory that is read in blocks, the last of which is kept: for many small reads one behind the other, each of which would be a system call in a living
/// process. Not safe for concurrent use.
/// </summary>
internal sealed class BlockMemory(IMemory memory) : IMemory
{
    private const int BlockSize = 32 * 1024;
    private readonly byte[] _block = new byte[BlockSize];
    private ulong _start = ulong.MaxValue;
    private int _length;

    /// <inheritdoc/>
    public int Read(ulong address, Span<byte> destination)
    {
        ulong start = address & ~(ulong)(BlockSize - 1);
        if (start != _start)
        {
            _start = start;
            _length = memory.Read(start, _block);
        }

        // What reaches into the next block, and what lies behind a gap in this one, is read by itself.
        int offset = (int)(address - start);
        if (offset + (long)destination.Length > _length)
        {
            return memory.Read(address, destination);
        }

        _block.AsSpan(offset, destination.Length).CopyTo(destination);
        return destination.Length;
    }
}
