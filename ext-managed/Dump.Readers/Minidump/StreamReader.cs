using System.Text;
using Dump.Model;

namespace Dump.Readers.Minidump;

/// <summary>Reads the structures that all streams share, and collects problems.</summary>
internal sealed class StreamReader(FileBytes file, ReadLimits limits)
{
    private const int MaximumProblems = 1_000;

    public FileBytes File { get; } = file;

    public ReadLimits Limits { get; } = limits;

    public List<ReaderProblem> Problems { get; } = [];

    /// <summary>Records a problem; after a thousand, further ones are dropped.</summary>
    public void Problem(string where, string message, long? offset = null)
    {
        if (Problems.Count < MaximumProblems)
        {
            Problems.Add(new ReaderProblem(where, message, (ulong?)offset));
        }
    }

    /// <summary>Cuts a count that the file claims to what the limit allows and the bytes can hold.</summary>
    public int Count(string where, ulong claimed, int entrySize, long offset, long end, int limit)
    {
        long fits = entrySize <= 0 || offset > end ? 0 : (Math.Min(end, File.Length) - offset) / entrySize;
        long count = (long)Math.Min(claimed, (ulong)Math.Max(0, fits));
        if ((ulong)count < claimed)
        {
            Problem(where, $"claims {claimed} entries, room for {count}", offset);
        }

        if (count > limit)
        {
            Problem(where, $"has {count} entries, the limit is {limit}; the rest is left out", offset);
            count = limit;
        }

        return (int)count;
    }

    /// <summary>A 32-bit value; 0 and a problem when it lies outside the file.</summary>
    public uint UInt32(string where, long offset)
    {
        if (File.ReadUInt32(offset) is { } value)
        {
            return value;
        }

        Problem(where, "ends before its time", offset);
        return 0;
    }

    /// <summary>A 64-bit value; 0 and a problem when it lies outside the file.</summary>
    public ulong UInt64(string where, long offset)
    {
        if (File.ReadUInt64(offset) is { } value)
        {
            return value;
        }

        Problem(where, "ends before its time", offset);
        return 0;
    }

    /// <summary>A MINIDUMP_STRING (byte length, UTF-16) as safe text, or null when it is not readable or its offset is 0.</summary>
    public string? String(string where, ulong offset)
    {
        if (offset == 0)
        {
            return null;
        }

        if (offset > long.MaxValue - 8 || File.ReadUInt32((long)offset) is not { } length)
        {
            Problem(where, "names a string outside the file", offset > long.MaxValue ? null : (long)offset);
            return null;
        }

        return Utf16(where, (long)offset + sizeof(uint), length, SafeTextOptions.SingleLine);
    }

    /// <summary>UTF-16 text of a byte length, up to its first NUL, as safe text.</summary>
    public string Utf16(string where, long offset, ulong byteLength, SafeTextOptions options)
    {
        byte[] bytes = Bytes(where, offset, byteLength);
        string text = Encoding.Unicode.GetString(bytes, 0, bytes.Length & ~1);
        return Clean(text, byteLength / 2, options);
    }

    /// <summary>Single-byte text of a byte length, up to its first NUL, as safe text.</summary>
    public string Utf8(string where, long offset, ulong byteLength, SafeTextOptions options) =>
        Clean(Encoding.UTF8.GetString(Bytes(where, offset, byteLength)), byteLength, options);

    private string Clean(string text, ulong claimedLength, SafeTextOptions options)
    {
        int end = text.IndexOf('\0', StringComparison.Ordinal);
        string content = end >= 0 ? text[..end] : text;
        string cut = end < 0 && claimedLength > (ulong)Limits.MaxStringLength && content.Length <= Limits.MaxStringLength ? content + "..." : content;
        return options == SafeTextOptions.Lines
            ? string.Join('\n', cut.ReplaceLineEndings("\n").Split('\n').Select(line => SafeText.Clean(line, Limits.MaxStringLength)))
            : SafeText.Clean(cut, Limits.MaxStringLength);
    }

    private byte[] Bytes(string where, long offset, ulong byteLength)
    {
        int length = (int)Math.Min(byteLength, (ulong)Limits.MaxStringLength * sizeof(char) + 2);
        length = (int)Math.Min(length, Math.Max(0, File.Length - Math.Min(offset, File.Length)));
        byte[] bytes = new byte[length];
        int read = File.Read(offset, bytes);
        if ((ulong)read < Math.Min(byteLength, (ulong)Limits.MaxStringLength))
        {
            Problem(where, "has text that ends before its time", offset);
        }

        return bytes[..read];
    }
}
