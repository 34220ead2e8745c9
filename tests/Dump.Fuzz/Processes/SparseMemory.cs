using Dump.Readers;

namespace Dump.Fuzz.Processes;

/// <summary>Memory made of the pieces that a test writes.</summary>
internal sealed class SparseMemory : IMemory
{
    private readonly Dictionary<ulong, byte> _bytes = [];

    public SparseMemory Write(ulong address, params byte[] bytes)
    {
        for (int i = 0; i < bytes.Length; i++)
        {
            _bytes[address + (ulong)i] = bytes[i];
        }

        return this;
    }

    public SparseMemory Slot(ulong address, ulong value) => Write(address, BitConverter.GetBytes(value));

    public int Read(ulong address, Span<byte> destination)
    {
        int count = 0;
        while (count < destination.Length && _bytes.TryGetValue(unchecked(address + (ulong)count), out byte value))
        {
            destination[count++] = value;
        }

        return count;
    }
}
