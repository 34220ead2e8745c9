using System.Buffers.Binary;
using Dump.Engine;
using Dump.Model.Text;
using Dump.Readers;
using Dump.Triage.Children;

namespace Dump.Cli.Sessions;

/// <summary>
/// A process in a debugger, of which the debugger says what it is asked for: its memory, and a small dump that describes it. After an answer that is none,
/// nothing is asked any more, because what comes then cannot be told from the rest of it. Safe for concurrent use.
/// </summary>
/// <param name="ask">Asks for a kind of bytes (see <see cref="AnswerPieces"/>), from an address or an offset on, so many, 1 to <see cref="MostBytes"/>.</param>
/// <param name="answers">Where answers come from: the number of their bytes as 32 bits, then the bytes.</param>
internal sealed class AskedProcess(Action<byte, ulong, int> ask, Stream answers) : IStandingProcessReader
{
    /// <summary>Most bytes that are asked for at once.</summary>
    public const int MostBytes = 1 << 20;

    // What a debugger says of a process with thousands of threads stays far below.
    private const int MostDescription = 256 << 20;
    private readonly Lock _one = new();

    /// <summary>Why nothing can be read any more; null while it can.</summary>
    public string? Failure { get; private set; }

    /// <inheritdoc/>
    /// <exception cref="InvalidDumpException">Whoever reads the process is gone, or gave an answer that is none.</exception>
    public int Read(ulong address, Span<byte> destination)
    {
        lock (_one)
        {
            int done = 0;
            while (done < destination.Length)
            {
                ThrowIfFailed();
                Span<byte> wanted = destination[done..Math.Min(destination.Length, done + MostBytes)];
                int count = Answer(AnswerPieces.Memory, unchecked(address + (ulong)done), wanted);
                done += count;
                if (count < wanted.Length)
                {
                    break;
                }
            }

            return done;
        }
    }

    /// <summary>Reads the whole description; an answer that is shorter than what was asked for is its end.</summary>
    /// <exception cref="InvalidDumpException">Whoever has it is gone, gave an answer that is none, or does not come to an end.</exception>
    public byte[] ReadDescription()
    {
        lock (_one)
        {
            using MemoryStream all = new();
            byte[] piece = new byte[MostBytes];
            int count;
            do
            {
                ThrowIfFailed();
                count = Answer(AnswerPieces.Description, (ulong)all.Length, piece);
                all.Write(piece, 0, count);
                if (all.Length > MostDescription)
                {
                    throw new InvalidDumpException($"the description of the process has more than {MostDescription} bytes; give the command again with -full");
                }
            }
            while (count == piece.Length);
            return all.ToArray();
        }
    }

    /// <summary>Throws when something that was read rests on what could not be asked for.</summary>
    /// <exception cref="InvalidDumpException">That is so.</exception>
    public void ThrowIfFailed()
    {
        if (Failure is { } failure)
        {
            throw new InvalidDumpException($"the memory of the process cannot be read: {failure}; give the command again, or with -full");
        }
    }

    private int Answer(byte kind, ulong position, Span<byte> wanted)
    {
        try
        {
            ask(kind, position, wanted.Length);
            Span<byte> head = stackalloc byte[sizeof(uint)];
            answers.ReadExactly(head);
            uint count = BinaryPrimitives.ReadUInt32LittleEndian(head);
            if (count <= wanted.Length)
            {
                answers.ReadExactly(wanted[..(int)count]);
                return (int)count;
            }

            Failure = $"the debugger sent {count} bytes where {wanted.Length} were asked for";
        }
        catch (EndOfStreamException)
        {
            Failure = "the debugger ended the conversation";
        }
        catch (IOException error)
        {
            Failure = SafeText.Clean(error.Message);
        }

        ThrowIfFailed();
        return 0;
    }
}
