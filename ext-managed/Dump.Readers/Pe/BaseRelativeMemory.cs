namespace Dump.Readers.Pe;

/// <summary>Memory at addresses relative to the base of a dynamic function table.</summary>
internal sealed class BaseRelativeMemory(IMemory memory, ulong baseAddress) : IRvaReader
{
    /// <inheritdoc/>
    public bool ReadRva(uint rva, Span<byte> destination) => baseAddress <= ulong.MaxValue - rva && memory.TryRead(baseAddress + rva, destination);
}
