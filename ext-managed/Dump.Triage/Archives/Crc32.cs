using System.Buffers.Binary;

namespace Dump.Triage.Archives;

/// <summary>CRC-32 of ISO 3309 as archives use it, eight bytes at a time. Source: APPNOTE.TXT 4.4.7, RFC 1952 8.</summary>
internal sealed class Crc32
{
    private const uint Polynomial = 0xEDB88320;
    private const int Slices = 8;
    private const int Values = 256;
    private static readonly uint[] s_table = Table();
    private uint _state = uint.MaxValue;

    /// <summary>The sum of what was appended.</summary>
    public uint Value => ~_state;

    /// <summary>Appends bytes.</summary>
    public void Append(ReadOnlySpan<byte> bytes)
    {
        uint state = _state;
        uint[] table = s_table;
        for (; bytes.Length >= Slices; bytes = bytes[Slices..])
        {
            uint low = state ^ BinaryPrimitives.ReadUInt32LittleEndian(bytes);
            uint high = BinaryPrimitives.ReadUInt32LittleEndian(bytes[sizeof(uint)..]);
            state = table[(7 * Values) + (byte)low] ^ table[(6 * Values) + (byte)(low >> 8)] ^ table[(5 * Values) + (byte)(low >> 16)]
                ^ table[(4 * Values) + (int)(low >> 24)]
                ^ table[(3 * Values) + (byte)high] ^ table[(2 * Values) + (byte)(high >> 8)] ^ table[Values + (byte)(high >> 16)] ^ table[(int)(high >> 24)];
        }

        foreach (byte value in bytes)
        {
            state = (state >> 8) ^ table[(byte)(state ^ value)];
        }

        _state = state;
    }

    // Row k has the effect of a byte that k further bytes follow.
    private static uint[] Table()
    {
        uint[] table = new uint[Slices * Values];
        for (uint i = 0; i < Values; i++)
        {
            uint state = i;
            for (int bit = 0; bit < 8; bit++)
            {
                state = (state >> 1) ^ ((state & 1) * Polynomial);
            }

            table[i] = state;
        }

        for (int i = Values; i < table.Length; i++)
        {
            table[i] = (table[i - Values] >> 8) ^ table[(byte)table[i - Values]];
        }

        return table;
    }
}
