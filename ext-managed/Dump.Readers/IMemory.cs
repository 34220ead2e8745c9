namespace Dump.Readers;

/// <summary>The memory of a process, by virtual address. Implementations are safe for concurrent use.</summary>
public interface IMemory
{
    /// <summary>Copies memory that starts at <paramref name="address"/>.</summary>
    /// <param name="address">Virtual address; any value is allowed.</param>
    /// <param name="destination">Where to copy to.</param>
    /// <returns>The number of bytes that could be read from the beginning without a gap: 0 when the address
    /// is not there, less than the length when memory ends.</returns>
    int Read(ulong address, Span<byte> destination);
}
