using System.Buffers.Binary;
using System.Text;

namespace Dump.Triage.Children;

/// <summary>The answer of a worker, put together from its pieces, within limits whatever it sends.</summary>
/// <param name="most">Bytes of standard output that are kept.</param>
internal sealed class WorkerReply(int most)
{
    private const int KeptErrors = 4096;
    private const int MostLibrary = 256;
    private readonly MemoryStream _output = new();
    private readonly byte[] _errors = new byte[2 * AnswerPieces.MostBytes];
    private int _errorLength;

    /// <summary>True as soon as the worker has taken the question.</summary>
    public bool IsTaken { get; private set; }

    /// <summary>True when it wrote more than is kept.</summary>
    public bool IsTooLong { get; private set; }

    /// <summary>The exit code; null when the answer did not come to its end.</summary>
    public int? ExitCode { get; private set; }

    /// <summary>What it says of its data-access library: the flags of <see cref="AnswerPieces"/>.</summary>
    public byte LibraryFlags { get; private set; }

    /// <summary>Hash of the library's file; empty for none.</summary>
    public string Library { get; private set; } = "";

    /// <summary>What it wrote to standard output.</summary>
    public ReadOnlyMemory<byte> Output => _output.GetBuffer().AsMemory(0, (int)_output.Length);

    /// <summary>The last characters that it wrote to standard error.</summary>
    public string Errors => Encoding.UTF8.GetString(_errors, 0, _errorLength);

    /// <summary>Reads until the end of the answer, of the stream, or of what can be an answer.</summary>
    public async Task ReadAsync(Stream stream)
    {
        try
        {
            await ReadPiecesAsync(stream).ConfigureAwait(false);
        }
        catch (IOException)
        {
            // It has ended, or was ended.
        }
    }

    private async Task ReadPiecesAsync(Stream stream)
    {
        byte[] head = new byte[AnswerPieces.HeadSize], bytes = new byte[AnswerPieces.MostBytes];
        while (ExitCode is null && !IsTooLong)
        {
            if (await stream.ReadAtLeastAsync(head, head.Length, throwOnEndOfStream: false).ConfigureAwait(false) < head.Length
                || BinaryPrimitives.ReadUInt32LittleEndian(head.AsSpan(1)) is not (<= AnswerPieces.MostBytes and var length)
                || await stream.ReadAtLeastAsync(bytes.AsMemory(0, (int)length), (int)length, throwOnEndOfStream: false).ConfigureAwait(false) < length
                || !Take(head[0], bytes.AsSpan(0, (int)length)))
            {
                return;
            }
        }
    }

    private bool Take(byte kind, ReadOnlySpan<byte> bytes)
    {
        switch (kind)
        {
            case AnswerPieces.Output:
                IsTaken = true;
                IsTooLong = _output.Length + bytes.Length > most;
                _output.Write(IsTooLong ? [] : bytes);
                return true;
            case AnswerPieces.Errors:
                KeepErrors(bytes);
                return true;
            case AnswerPieces.Library when bytes.Length is > 0 and <= MostLibrary:
                (LibraryFlags, Library) = (bytes[0], Encoding.ASCII.GetString(bytes[1..]));
                return true;
            case AnswerPieces.End when bytes.Length == sizeof(int):
                ExitCode = BinaryPrimitives.ReadInt32LittleEndian(bytes);
                return true;
            default:
                return false;
        }
    }

    private void KeepErrors(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(_errors.AsSpan(_errorLength));
        _errorLength += bytes.Length;
        if (_errorLength > KeptErrors)
        {
            _errors.AsSpan(_errorLength - KeptErrors, KeptErrors).CopyTo(_errors);
            _errorLength = KeptErrors;
        }
    }
}
