using System.Buffers.Binary;
using System.Collections.Immutable;
using System.Text;
using Dump.Cli.Context;
using Dump.Cli.Output;
using Dump.Cli.Running;
using Dump.Engine;
using Dump.Model.Contract;
using Dump.Model.Text;
using Dump.Readers;
using Dump.Triage.Children;

namespace Dump.Cli.Sessions;

/// <summary>
/// Answers one question after the other as separate runs of this program would, but keeps what it has read of a dump. It ends with its input, which a debugger
/// that ends closes in any case, and when nobody has asked for a while.
/// </summary>
internal static class Session
{
    private static readonly TimeSpan s_idle = TimeSpan.FromMinutes(15);

    /// <summary>Serves questions on standard input and output.</summary>
    /// <param name="answer">Answers a command line; what it prints goes where <see cref="ResultStream"/> and <see cref="Console.Error"/> lead.</param>
    /// <returns>The exit code.</returns>
    public static async Task<int> ServeAsync(Func<ImmutableArray<string>, RunContext, Task<int>> answer)
    {
        // What guards a single run against crashes starts a process of its own, whose output would not be led here.
        ChildMark mark = new() { IsGuarded = !OperatingSystem.IsWindows() };
        KeptSnapshots kept = new();
        StandingProcess? moment = null;
        using Stream input = Console.OpenStandardInput();
        using Stream output = Console.OpenStandardOutput();
        try
        {
            while (await NextAsync(input).ConfigureAwait(false) is { } question)
            {
                SessionAnswer reply = new(output);
                AskedProcess? process = question.Process.Length == 0 ? null : new AskedProcess(reply.Request, input);
                if (process is not null && moment?.Name != question.Process)
                {
                    moment = new StandingProcess(question.Process);
                }

                RunContext context = new(mark)
                {
                    Kept = kept,
                    Process = process is null ? null : moment,
                    Debugger = process,
                    SymbolPath = question.SymbolPath.Length == 0 ? null : question.SymbolPath,
                };
                reply.Begin();
                int exitCode;
                using (ResultStream.Redirect(reply.Output(), reply.Errors()))
                {
                    exitCode = await answer(question.Arguments, context).ConfigureAwait(false);
                }

                reply.End(exitCode);
                if (process?.Failure is not null)
                {
                    // What comes next may be the rest of an answer.
                    return ExitCode.ToolError;
                }
            }

            return ExitCode.Success;
        }
        catch (InvalidDataException error)
        {
            await Console.Error.WriteLineAsync($"dumpanalyze: {error.Message}").ConfigureAwait(false);
            return ExitCode.Usage;
        }
        catch (IOException)
        {
            // Whoever asked is gone.
            return ExitCode.ToolError;
        }
    }

    private static async Task<SessionQuestion?> NextAsync(Stream input)
    {
        // Reading from a pipe does not look at a token: it is left behind, and ends with the process.
        Task<SessionQuestion?> next = Task.Run(() => SessionQuestion.ReadAsync(input, CancellationToken.None));
        return await Task.WhenAny(next, Task.Delay(s_idle)).ConfigureAwait(false) == next ? await next.ConfigureAwait(false) : null;
    }
}

/// <summary>
/// Writes one answer of a session in pieces: see <see cref="AnswerPieces"/>.
/// </summary>
/// <param name="output">Where they go.</param>
internal sealed class SessionAnswer(Stream output)
{
    private readonly Lock _one = new();

    /// <summary>Says that the question was taken.</summary>
    public void Begin() => Write(AnswerPieces.Output, []);

    /// <summary>Takes what belongs to standard output.</summary>
    public Stream Output() => new PieceStream(this, AnswerPieces.Output);

    /// <summary>Takes what belongs to standard error.</summary>
    public Stream Errors() => new PieceStream(this, AnswerPieces.Errors);

    /// <summary>Says what became of the data-access library.</summary>
    /// <param name="flags">Those of <see cref="AnswerPieces"/>.</param>
    /// <param name="hash">Hash of its file, or empty.</param>
    public void Library(byte flags, string hash) => Write(AnswerPieces.Library, [flags, .. Encoding.ASCII.GetBytes(hash)]);

    /// <summary>Says that the answer is whole.</summary>
    public void End(int exitCode)
    {
        byte[] code = new byte[sizeof(int)];
        BinaryPrimitives.WriteInt32LittleEndian(code, exitCode);
        Write(AnswerPieces.End, code);
    }

    /// <summary>Asks for something of the process that the question is about.</summary>
    /// <param name="kind"><see cref="AnswerPieces.Memory"/> or <see cref="AnswerPieces.Description"/>.</param>
    /// <param name="position">The address, or the offset.</param>
    /// <param name="length">The number of bytes.</param>
    public void Request(byte kind, ulong position, int length)
    {
        Span<byte> request = stackalloc byte[sizeof(ulong) + sizeof(int)];
        BinaryPrimitives.WriteUInt64LittleEndian(request, position);
        BinaryPrimitives.WriteInt32LittleEndian(request[sizeof(ulong)..], length);
        Write(kind, request);
    }

    private void Write(byte kind, ReadOnlySpan<byte> bytes)
    {
        Span<byte> head = stackalloc byte[AnswerPieces.HeadSize];
        head[0] = kind;
        BinaryPrimitives.WriteInt32LittleEndian(head[1..], bytes.Length);
        lock (_one)
        {
            output.Write([.. head, .. bytes]);
            output.Flush();
        }
    }

    /// <summary>Every write is a piece, or several.</summary>
    private sealed class PieceStream(SessionAnswer answer, byte kind) : Stream
    {
        public override bool CanRead => false;

        public override bool CanSeek => false;

        public override bool CanWrite => true;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override void Write(ReadOnlySpan<byte> buffer)
        {
            while (!buffer.IsEmpty)
            {
                ReadOnlySpan<byte> piece = buffer[..Math.Min(buffer.Length, AnswerPieces.MostBytes)];
                answer.Write(kind, piece);
                buffer = buffer[piece.Length..];
            }
        }

        public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

        public override void Flush()
        {
        }

        public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();
    }
}

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
            : throw new InvalidDataException("a question that is not terminated");
    }
}

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
