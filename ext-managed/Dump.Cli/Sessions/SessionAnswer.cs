using System.Buffers.Binary;
using System.Text;
using Dump.Triage.Children;

namespace Dump.Cli.Sessions;

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
