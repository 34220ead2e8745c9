namespace Dump.Readers.Linux;

/// <summary>Memory of a process that is that of one moment: when the moment has ended there is none any more. Safe for concurrent use.</summary>
/// <param name="memory">The memory.</param>
internal sealed class MomentMemory(IMemory memory) : IMemory
{
    private volatile bool _hasEnded;

    /// <summary>Ends the moment.</summary>
    public void End() => _hasEnded = true;

    /// <inheritdoc/>
    public int Read(ulong address, Span<byte> destination) => _hasEnded ? 0 : memory.Read(address, destination);
}
