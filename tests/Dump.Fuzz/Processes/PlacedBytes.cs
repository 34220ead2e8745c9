namespace Dump.Fuzz.Processes;

/// <summary>Bytes that stand at an address.</summary>
internal static class PlacedBytes
{
    /// <summary>Copies what of the wanted bytes lies in the source.</summary>
    /// <returns>How many were copied; 0 when the address is outside.</returns>
    public static int Copy(ReadOnlySpan<byte> source, ulong start, ulong address, Span<byte> destination)
    {
        if (address < start || address - start >= (ulong)source.Length)
        {
            return 0;
        }

        int offset = (int)(address - start);
        int length = Math.Min(destination.Length, source.Length - offset);
        source.Slice(offset, length).CopyTo(destination);
        return length;
    }
}
