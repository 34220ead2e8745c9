using Iced.Intel;

namespace Dump.Readers.Unwinding.X86;

/// <summary>
/// Decodes single instructions of 32-bit code anywhere in memory. One budget for the whole dump bounds the work. Not safe for concurrent use.
/// </summary>
/// <param name="memory">Memory of the process.</param>
/// <param name="images">Its images, whose files stand in for code that the dump lacks.</param>
/// <param name="budget">Most instructions to decode.</param>
internal sealed class X86CodeReader(IMemory memory, Pe.PeImages images, long budget = 10_000_000)
{
    private const int LongestInstruction = 15;
    private readonly byte[] _bytes = new byte[LongestInstruction];
    private long _left = budget;

    /// <summary>Memory of the process.</summary>
    public IMemory Memory => memory;

    /// <summary>Decodes the instruction at an address; false when it cannot be read, is none, or the budget is used up.</summary>
    public bool TryDecode(uint address, out Instruction instruction)
    {
        instruction = default;
        int count = _left-- > 0 ? Read(address, _bytes) : 0;
        if (count == 0)
        {
            return false;
        }

        Decoder decoder = Decoder.Create(32, new ByteArrayCodeReader(_bytes, 0, count), address);
        decoder.Decode(out instruction);
        return !instruction.IsInvalid;
    }

    /// <summary>Reads code: from the dump, else from the image's file. Returns the number of bytes that could be read.</summary>
    public int Read(uint address, Span<byte> destination)
    {
        int count = memory.Read(address, destination);
        if (count > 0 || images.Find(address, out uint rva) is not { } image)
        {
            return count;
        }

        // The end of the image may be near: as much as there is.
        for (count = destination.Length; count > 0 && !image.ReadRva(rva, destination[..count]); count--)
        {
        }

        return count;
    }
}
