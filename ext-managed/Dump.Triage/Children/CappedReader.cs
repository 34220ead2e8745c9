using System.Text;
using Dump.Model.Text;

namespace Dump.Triage.Children;

/// <summary>Reads what a child process writes, without ever holding more than a limit.</summary>
internal static class CappedReader
{
    private const int Chunk = 64 << 10;

    /// <summary>Reads all of a stream.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="most">Bytes that are kept.</param>
    /// <returns>The bytes; null as soon as there are more.</returns>
    public static async Task<ReadOnlyMemory<byte>?> All(Stream stream, int most)
    {
        byte[] buffer = new byte[Chunk];
        int length = 0;
        while (await stream.ReadAsync(buffer.AsMemory(length)).ConfigureAwait(false) is > 0 and var read)
        {
            length += read;
            if (length > most)
            {
                return null;
            }

            if (length == buffer.Length)
            {
                Array.Resize(ref buffer, (int)Math.Min(Array.MaxLength, 2L * buffer.Length));
            }
        }

        return buffer.AsMemory(0, length);
    }

    /// <summary>The last line with text, without the program's own name before it (sanitised); null when there is none.</summary>
    public static string? LastLine(string errors)
    {
        const string Self = "dumpanalyze: ";
        string[] lines = errors.Split('\n', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);

        // Behind the program's own words a runtime that crashes writes a trace.
        string? line = lines.LastOrDefault(l => l.StartsWith(Self, StringComparison.Ordinal)) ?? lines.LastOrDefault();
        return line is null ? null : SafeText.Clean(line.StartsWith(Self, StringComparison.Ordinal) ? line[Self.Length..] : line, 600);
    }
}
