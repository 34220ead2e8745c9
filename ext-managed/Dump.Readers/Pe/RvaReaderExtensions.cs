using System.Buffers.Binary;
using System.Text;

namespace Dump.Readers.Pe;

/// <summary>Reads little-endian values at relative virtual addresses.</summary>
internal static class RvaReaderExtensions
{
    public static uint? ReadUInt32(this IRvaReader reader, uint rva)
    {
        Span<byte> bytes = stackalloc byte[sizeof(uint)];
        return reader.ReadRva(rva, bytes) ? BinaryPrimitives.ReadUInt32LittleEndian(bytes) : null;
    }

    /// <summary>Reads an entry of a table of RUNTIME_FUNCTION, or returns null when any byte is missing.</summary>
    public static RuntimeFunction? ReadRuntimeFunction(this IRvaReader reader, uint rva)
    {
        Span<byte> bytes = stackalloc byte[PeLayout.RuntimeFunctionSize];
        return reader.ReadRva(rva, bytes) ? RuntimeFunction.FromBytes(bytes) : null;
    }

    /// <summary>Reads a NUL-terminated UTF-8 string, or returns null when it is unreadable or not ended within the limit.</summary>
    public static string? ReadString(this IRvaReader reader, uint rva, int maxLength)
    {
        const int Step = 32;
        byte[] bytes = new byte[Step];
        int length = 0;
        while (length <= maxLength)
        {
            if (bytes.Length - length < Step)
            {
                Array.Resize(ref bytes, bytes.Length * 2);
            }

            Span<byte> step = bytes.AsSpan(length, Step);
            int read = ReadAvailable(reader, rva, step);
            int end = step[..read].IndexOf((byte)0);
            if (end >= 0)
            {
                return length + end <= maxLength ? Encoding.UTF8.GetString(bytes, 0, length + end) : null;
            }

            if (read < Step || rva > uint.MaxValue - Step)
            {
                return null;
            }

            length += Step;
            rva += Step;
        }

        return null;
    }

    private static int ReadAvailable(IRvaReader reader, uint rva, Span<byte> destination)
    {
        if (reader.ReadRva(rva, destination))
        {
            return destination.Length;
        }

        int read = 0;
        while (read < destination.Length && rva <= uint.MaxValue - (uint)read && reader.ReadRva(rva + (uint)read, destination.Slice(read, 1)))
        {
            read++;
        }

        return read;
    }
}
