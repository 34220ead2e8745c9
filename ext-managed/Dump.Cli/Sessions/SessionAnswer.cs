using System.Buffers.Binary;

namespace Dump.Cli.Sessions;

/// <summary>
/// Writes one answer of a session in pieces: the kind as one byte (1 standard output, 2 standard error, 3 the end, 4 a request for memory), the number of bytes
/// as 32 bits, the bytes. Those of the end are the exit code, those of a request the address as 64 bits and the number of bytes as 32.
/// </summary>
/// <param name="output">Where they go.</param>
internal sealed class SessionAnswer(Stream output)
{
    private const byte OutputPiece = 1;
    private const byte ErrorPiece = 2;
    private const byte EndPiece = 3;
    private const byte MemoryPiece = 4;
    private const int HeadSize = 5;
    private const int MostBytes = 1 << 16;
    private readonly Lock _one = new();

    /// <summary>Says that the question was taken.</summary>
    public void Begin() => Write(OutputPiece, []);

    /// <summary>Takes what belongs to standard output.</summary>
    public Stream Output() => new PieceStream(this, OutputPiece);

    /// <summary>Takes what belongs to standard error.</summary>
    public Stream Errors() => new PieceStream(this, ErrorPiece);

    /// <summary>Says that the answer is whole.</summary>
    public void End(int exitCode)
    {
        byte[] code = new byte[sizeof(int)];
        BinaryPrimitives.WriteInt32LittleEndian(code, exitCode);
        Write(EndPiece, code);
    }

    /// <summary>Asks for memory of the process that the question is about.</summary>
    public void Request(ulong address, int length)
    {
        Span<byte> request = stackalloc byte[sizeof(ulong) + sizeof(int)];
        BinaryPrimitives.WriteUInt64LittleEndian(request, address);
        BinaryPrimitives.WriteInt32LittleEndian(request[sizeof(ulong)..], length);
        Write(MemoryPiece, request);
    }

    private void Write(byte kind, ReadOnlySpan<byte> bytes)
    {
        Span<byte> head = stackalloc byte[HeadSize];
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
                ReadOnlySpan<byte> piece = buffer[..Math.Min(buffer.Length, MostBytes)];
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
