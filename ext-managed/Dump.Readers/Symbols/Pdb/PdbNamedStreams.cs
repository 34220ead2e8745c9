using System.Text;

namespace Dump.Readers.Symbols.Pdb;

/// <summary>
/// Finds streams by name in the map behind the header of the PDB information stream (LLVM, "The PDB Info
/// Stream": a buffer of names, then a hash table with bit vectors of present and deleted entries).
/// </summary>
internal static class PdbNamedStreams
{
    private const uint MaximumNames = 4096;
    private const uint MaximumBuffer = 1 << 20;

    /// <summary>The stream with a name, or null when there is none.</summary>
    /// <exception cref="InvalidPdbException">The map is damaged.</exception>
    public static MsfStream? Find(MsfFile file, string name)
    {
        MsfStream stream = file.Stream(PdbLayout.InformationStream);
        uint buffer = PdbLayout.NamedStreams + sizeof(uint);
        if (stream.Size < buffer)
        {
            return null;
        }

        uint length = stream.UInt32(PdbLayout.NamedStreams);
        if (length > MaximumBuffer || length > stream.Size - buffer)
        {
            throw new InvalidPdbException("its map of streams is damaged");
        }

        byte[] names = new byte[length];
        stream.Read(buffer, names);
        uint at = buffer + length;
        uint count = stream.UInt32(at);
        at = SkipBits(stream, SkipBits(stream, at + 2 * sizeof(uint)));
        for (uint i = 0; i < Math.Min(count, MaximumNames); i++, at += 2 * sizeof(uint))
        {
            if (stream.UInt32(at) is var place && place < length && IsName(names.AsSpan((int)place), name))
            {
                return file.Stream((int)Math.Min(stream.UInt32(at + sizeof(uint)), int.MaxValue));
            }
        }

        return null;
    }

    /// <summary>A bit vector: the number of its words, then the words.</summary>
    private static uint SkipBits(MsfStream stream, uint at)
    {
        uint words = stream.UInt32(at);
        return words <= MaximumNames ? at + sizeof(uint) + words * sizeof(uint) : throw new InvalidPdbException("its map of streams is damaged");
    }

    private static bool IsName(ReadOnlySpan<byte> text, string name) =>
        text.Length > name.Length && text[name.Length] == 0 && text[..name.Length].SequenceEqual(Encoding.ASCII.GetBytes(name));
}
