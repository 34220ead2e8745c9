namespace Dump.Readers.Instructions;

/// <summary>Tells return addresses from other values: a call instruction stands before them.</summary>
internal static class CallInstruction
{
    private const int Longest = 7;
    private const int RelativeSize = 5;

    /// <summary>True when the bytes before the address end a call instruction; false when they do not; null when they are not readable.</summary>
    public static bool? Precedes(IMemory memory, ulong address)
    {
        Span<byte> bytes = stackalloc byte[Longest];
        return address >= Longest && memory.TryRead(address - Longest, bytes) ? Ends(bytes) : null;
    }

    /// <summary>True when seven bytes of code end with a call instruction.</summary>
    public static bool Ends(ReadOnlySpan<byte> bytes)
    {
        if (bytes[Longest - RelativeSize] == 0xE8)
        {
            return true;
        }

        // FF /2: call through a register or memory, two to seven bytes long.
        for (int length = 2; length <= Longest; length++)
        {
            ReadOnlySpan<byte> code = bytes[(Longest - length)..];
            if (code[0] == 0xFF && ((code[1] >> 3) & 7) == 2 && IndirectLength(code) == length)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Length of an FF /2 instruction by its ModRM and SIB bytes.</summary>
    private static int IndirectLength(ReadOnlySpan<byte> code)
    {
        int mode = code[1] >> 6;
        int register = code[1] & 7;
        bool hasSib = mode != 3 && register == 4;
        int length = 2 + (hasSib ? 1 : 0);
        bool hasWideBase = mode == 0 && (register == 5 || (hasSib && code.Length > 2 && (code[2] & 7) == 5));
        return length + (mode switch { 1 => 1, 2 => 4, _ => 0 }) + (hasWideBase ? 4 : 0);
    }
}
