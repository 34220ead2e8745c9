namespace Dump.Readers.ElfCore;

/// <summary>A PT_LOAD segment: a range of process memory.</summary>
/// <param name="Address">First address.</param>
/// <param name="MemorySize">Length of the range in the process, bytes.</param>
/// <param name="FileOffset">Where its content begins in the core.</param>
/// <param name="FileSize">How many bytes of it the core holds; the rest was left out by the writer, it is not zero.</param>
/// <param name="Flags">PF_X 1, PF_W 2, PF_R 4.</param>
public readonly record struct ElfSegment(ulong Address, ulong MemorySize, long FileOffset, long FileSize, uint Flags)
{
    /// <summary>True when the code in it may be executed.</summary>
    public bool IsExecutable => (Flags & 1) != 0;
}
