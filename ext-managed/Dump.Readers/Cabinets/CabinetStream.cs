using Dump.Readers.Files;

namespace Dump.Readers.Cabinets;

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
