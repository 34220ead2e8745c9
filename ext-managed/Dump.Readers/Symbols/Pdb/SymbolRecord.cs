using System.Text;
using Dump.Model.Text;

namespace Dump.Readers.Symbols.Pdb;

/// <summary>A symbol record in a stream (CodeView: 16-bit length, 16-bit kind, content).</summary>
/// <param name="Stream">The stream.</param>
/// <param name="Offset">Where the record begins.</param>
/// <param name="Size">Its size in bytes, with the length itself.</param>
/// <param name="Kind">Its kind.</param>
internal readonly record struct SymbolRecord(MsfStream Stream, uint Offset, uint Size, ushort Kind)
{
    private const int MaxNameBytes = 2048;
    private const int MaxNameLength = 512;

    /// <summary>All records between two offsets.</summary>
    /// <exception cref="InvalidPdbException">A record does not end where it should.</exception>
    public static IEnumerable<SymbolRecord> Between(MsfStream stream, uint begin, uint end)
    {
        if (end > stream.Size)
        {
            throw new InvalidPdbException("one of its streams is shorter than its content says");
        }

        while (begin < end)
        {
            uint header = end - begin < PdbLayout.RecordHeaderSize ? 0 : stream.UInt32(begin);
            uint size = (header & 0xFFFF) + sizeof(ushort);
            if (size < PdbLayout.RecordHeaderSize || size > end - begin)
            {
                throw new InvalidPdbException("its symbol records are damaged");
            }

            yield return new SymbolRecord(stream, begin, size, (ushort)(header >> 16));
            begin += size;
        }
    }

    /// <summary>A 16-bit field.</summary>
    /// <exception cref="InvalidPdbException">It does not lie in the record.</exception>
    public ushort UInt16(int offset) => Stream.UInt16(At(offset, sizeof(ushort)));

    /// <summary>A 32-bit field.</summary>
    /// <exception cref="InvalidPdbException">It does not lie in the record.</exception>
    public uint UInt32(int offset) => Stream.UInt32(At(offset, sizeof(uint)));

    /// <summary>Checks that the record is at least so long, so that nothing can be wrong with it later.</summary>
    /// <exception cref="InvalidPdbException">It is shorter.</exception>
    public void Require(int size) => At(size, 0);

    /// <summary>The name that ends the record, sanitised.</summary>
    /// <exception cref="InvalidPdbException">It does not lie in the record.</exception>
    public string Name(int offset)
    {
        Span<byte> bytes = stackalloc byte[(int)Math.Min(Size - Math.Min((uint)offset, Size), MaxNameBytes)];
        Stream.Read(At(offset, 0), bytes);
        int end = bytes.IndexOf((byte)0);
        return SafeText.Clean(Encoding.UTF8.GetString(end < 0 ? bytes : bytes[..end]), MaxNameLength);
    }

    private uint At(int offset, int size) => offset + size <= Size
        ? Offset + (uint)offset
        : throw new InvalidPdbException("its symbol records are damaged");
}
