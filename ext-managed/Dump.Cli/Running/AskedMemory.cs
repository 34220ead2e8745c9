using System.Buffers.Binary;
using Dump.Model.Text;
using Dump.Readers;

namespace Dump.Cli.Running;

/// <summary>
/// The memory of a process that somebody else reads: each range is asked for, and the answer awaited. After an answer that is none, nothing is asked any more,
/// because what comes then cannot be told from the rest of it. Safe for concurrent use.
/// </summary>
/// <param name="ask">Asks for so many bytes from an address on, 1 to <see cref="MostBytes"/>.</param>
/// <param name="answers">Where answers come from: the number of their bytes as 32 bits, then the bytes.</param>
internal sealed class AskedMemory(Action<ulong, int> ask, Stream answers) : IMemory
{
    /// <summary>Most bytes that are asked for at once.</summary>
    public const int MostBytes = 1 << 20;

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
                int count = Answer(unchecked(address + (ulong)done), wanted);
                done += count;
                if (count < wanted.Length)
                {
                    break;
                }
            }

            return done;
        }
    }

    /// <summary>Throws when something that was read rests on memory that could not be asked for.</summary>
    /// <exception cref="InvalidDumpException">That is so.</exception>
    public void ThrowIfFailed()
    {
        if (Failure is { } failure)
        {
            throw new InvalidDumpException($"the memory of the process cannot be read: {failure}; give the command again, or with -full");
        }
    }

    private int Answer(ulong address, Span<byte> wanted)
    {
        try
        {
            ask(address, wanted.Length);
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
