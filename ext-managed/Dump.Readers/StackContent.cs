using System.Buffers;
using Dump.Model.Text;

namespace Dump.Readers;

/// <summary>Makes the digest of a stack's memory by which two dumps tell a thread that stood still from one that came back to the same place.</summary>
public static class StackContent
{
    /// <summary>Bytes above the stack pointer that are looked at, at most: a loop keeps what it counts with near to where it waits.</summary>
    private const int LargestPart = 16 * 1024;

    private const int DigestCharacters = 16;

    /// <summary>The digest of the memory from one stack pointer up to another; null when there is none between them, or it is not in the dump.</summary>
    /// <param name="memory">The process' memory.</param>
    /// <param name="innermost">Stack pointer of the innermost frame.</param>
    /// <param name="outermost">Stack pointer of the outermost frame.</param>
    public static string? Of(IMemory memory, ulong innermost, ulong outermost)
    {
        if (outermost <= innermost)
        {
            return null;
        }

        int size = (int)Math.Min(outermost - innermost, LargestPart);
        byte[] buffer = ArrayPool<byte>.Shared.Rent(size);
        try
        {
            Span<byte> part = buffer.AsSpan(0, size);
            return memory.Read(innermost, part) == size ? Convert.ToHexString(Sha256.HashData(part))[..DigestCharacters] : null;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }
}
