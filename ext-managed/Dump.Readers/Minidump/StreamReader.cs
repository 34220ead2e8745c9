using System.Text;
using Dump.Model.Process;
using Dump.Model.Text;

namespace Dump.Readers.Minidump;

/// <summary>Reads the structures that all streams share, and collects problems.</summary>
internal sealed class StreamReader(FileBytes file, ReadLimits limits)
{
    private const int MaximumProblems = 1_000;
    private readonly Dictionary<long, string?> _strings = [];
    private long _spent;
    private bool _isOverspent;

    public FileBytes File { get; } = file;

    public ReadLimits Limits { get; } = limits;

    public List<ReaderProblem> Problems { get; } = [];

    /// <summary>Records a problem; after a thousand, one more says that further ones are left out.</summary>
    public void Problem(string where, string message, long? offset = null)
    {
        if (Problems.Count < MaximumProblems)
        {
            Problems.Add(new ReaderProblem(where, message, (ulong?)offset));
        }
        else if (Problems.Count == MaximumProblems)
        {
            Problems.Add(new ReaderProblem("file", $"has more than {MaximumProblems} problems; the rest is left out"));
        }
    }

    /// <summary>Whether a stream is as long as its structure; if not, a problem says so and the stream counts as absent.</summary>
    public bool HasRoom(string where, MinidumpStream stream, int size)
    {
        if (stream.Range.Size >= size)
        {
            return true;
        }

        Problem(where, $"has {stream.Range.Size} of at least {size} bytes; it is left out", stream.Range.Offset);
        return false;
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

    /// <summary>Takes bytes from the budget for content of variable length; false, and one problem, when it is used up.</summary>
    public bool Spend(string where, long bytes)
    {
        _spent += bytes;
        if (_spent <= Math.Min(File.Length, Limits.MaxTextBytes))
        {
            return true;
        }

        if (!_isOverspent)
        {
            _isOverspent = true;
            Problem(where, "names more text than the file can hold; the rest is left out");
        }

        return false;
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

        if (_strings.TryGetValue((long)offset, out string? known))
        {
            return known;
        }

        string? text = Utf16(where, (long)offset + sizeof(uint), length, allowLineBreaks: false);
        _strings.Add((long)offset, text);
        return text;
    }

    /// <summary>UTF-16 text of a byte length, up to its first NUL, as safe text; null when there was too much text already.</summary>
    public string? Utf16(string where, long offset, ulong byteLength, bool allowLineBreaks) =>
        Bytes(where, offset, byteLength, sizeof(char)) is { } bytes
            ? Clean(Encoding.Unicode.GetString(bytes, 0, bytes.Length & ~1), allowLineBreaks)
            : null;

    /// <summary>Single-byte text of a byte length, up to its first NUL, as safe text; null when there was too much text already.</summary>
    public string? Utf8(string where, long offset, ulong byteLength, bool allowLineBreaks) =>
        Bytes(where, offset, byteLength, sizeof(byte)) is { } bytes ? Clean(Encoding.UTF8.GetString(bytes), allowLineBreaks) : null;

    private string Clean(string text, bool allowLineBreaks)
    {
        int end = text.IndexOf('\0', StringComparison.Ordinal);
        return SafeText.Clean(end >= 0 ? text.AsSpan(0, end) : text, Limits.MaxStringLength, allowLineBreaks);
    }

    /// <summary>The bytes of a text. Of a long one only one character more than the limit is read, which shows that it was cut.</summary>
    private byte[]? Bytes(string where, long offset, ulong byteLength, int characterSize)
    {
        ulong most = Math.Min(byteLength, ((ulong)Limits.MaxStringLength + 1) * (ulong)characterSize);
        long available = Math.Max(0, File.Length - Math.Min(offset, File.Length));
        if ((ulong)available < most)
        {
            Problem(where, "has text that ends before its time", offset);
        }

        long length = Math.Min((long)most, available);
        if (!Spend(where, length))
        {
            return null;
        }

        byte[] bytes = new byte[length];
        return bytes[..File.Read(offset, bytes)];
    }
}
