using System.Text;

namespace Dump.Readers.Symbols.Pdb;

/// <summary>The table of strings of a program database (stream "/names"): paths of source files, programs of frame data. Safe for concurrent use.</summary>
internal sealed class PdbStrings
{
    private readonly MsfStream _stream;

    private PdbStrings(MsfStream stream) => _stream = stream;

    /// <summary>The table of a file; null when there is none.</summary>
    /// <exception cref="InvalidPdbException">The map of streams is damaged.</exception>
    public static PdbStrings? Of(MsfFile file) =>
        PdbNamedStreams.Find(file, "/names") is { Size: > PdbLayout.StringsContent } stream && stream.UInt32(0) == PdbLayout.StringsSignature
            ? new PdbStrings(stream)
            : null;

    /// <summary>A string, as the file has it; null when it is empty or not there.</summary>
    /// <param name="place">Where it begins in the table.</param>
    /// <param name="longest">Number of bytes after which it is cut.</param>
    public string? At(uint place, int longest)
    {
        uint all = _stream.Size - PdbLayout.StringsContent;
        if (place >= all)
        {
            return null;
        }

        byte[] bytes = new byte[(int)Math.Min((uint)longest, all - place)];
        try
        {
            _stream.Read(PdbLayout.StringsContent + place, bytes);
        }
        catch (InvalidPdbException)
        {
            return null;
        }

        int end = Array.IndexOf(bytes, (byte)0);
        return end == 0 ? null : Encoding.UTF8.GetString(bytes, 0, end < 0 ? bytes.Length : end);
    }
}

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
