namespace Dump.Readers.Pe;

/// <summary>Reads bytes at addresses relative to an image base or to the base of a dynamic function table.</summary>
public interface IRvaReader
{
    /// <summary>Reads exactly the length of <paramref name="destination"/>.</summary>
    /// <param name="rva">Relative virtual address; any value is allowed.</param>
    /// <param name="destination">Where to copy to; undefined content when the result is false.</param>
    /// <returns>False when any byte is missing.</returns>
    bool ReadRva(uint rva, Span<byte> destination);
}
