using System.Buffers.Binary;
using System.Collections.Immutable;
using System.Text;

namespace Dump.Cli.Sessions;

/// <summary>One question of a session: a command line, where PDB files are, and whether it is about a process.</summary>
/// <param name="SymbolPath">In the form of <c>_NT_SYMBOL_PATH</c>; empty for none.</param>
/// <param name="Process">The name in the command line that stands for a process, of which everything is asked for, and not for a dump; empty for none.</param>
/// <param name="Arguments">The command line without the program's name.</param>
internal sealed record SessionQuestion(string SymbolPath, string Process, ImmutableArray<string> Arguments)
{
    /// <summary>Most bytes of a question behind its length.</summary>
    public const int MostBytes = 1 << 20;

    /// <summary>
    /// Reads the next one: the number of its bytes as 32 bits, then texts in UTF-8, each with a zero behind it, of which the first is the symbol path and the
    /// second the process (the other side: ext-native/src/engine/session_protocol.hpp).
    /// </summary>
    /// <param name="input">Where it comes from.</param>
    /// <param name="cancellation">Ends the waiting.</param>
    /// <returns>The question; null when there is none any more.</returns>
    /// <exception cref="InvalidDataException">What comes is no question.</exception>
    public static async Task<SessionQuestion?> ReadAsync(Stream input, CancellationToken cancellation)
    {
        byte[] head = new byte[sizeof(int)];
        if (await input.ReadAtLeastAsync(head, head.Length, throwOnEndOfStream: false, cancellation).ConfigureAwait(false) < head.Length)
        {
            return null;
        }

        uint length = BinaryPrimitives.ReadUInt32LittleEndian(head);
        if (length is 0 or > MostBytes)
        {
            throw new InvalidDataException($"a question of {length} bytes; there may be 1 to {MostBytes}");
        }

        byte[] bytes = new byte[length];
        int count = await input.ReadAtLeastAsync(bytes, bytes.Length, throwOnEndOfStream: false, cancellation).ConfigureAwait(false);
        if (count < bytes.Length)
        {
            return null;
        }

        string[] texts = Encoding.UTF8.GetString(bytes).Split('\0');
        return texts.Length >= 3 && texts[^1].Length == 0
            ? new SessionQuestion(texts[0], texts[1], [.. texts[2..^1]])
            : throw new InvalidDataException("a question without an end");
    }
}
