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
