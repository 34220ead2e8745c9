namespace Dump.Fuzz.Oracles;

/// <summary>Keeps what is written, in memory that is used again and does not count for the reader under test.</summary>
internal sealed class MeasuredOutput : Stream
{
    private byte[] _bytes = new byte[1 << 16];
    private int _length;

    /// <summary>The one of this thread, empty.</summary>
    public static MeasuredOutput Fresh
    {
        get
        {
            MeasuredOutput output = t_output ??= new MeasuredOutput();
            output._length = 0;
            return output;
        }
    }

    /// <summary>Bytes that this class itself has allocated on this thread.</summary>
    public static long Allocated => t_allocated;

    /// <summary>What was written.</summary>
    public ReadOnlySpan<byte> Written => _bytes.AsSpan(0, _length);

    public override bool CanRead => false;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => _length;

    public override long Position
    {
        get => _length;
        set => throw new NotSupportedException();
    }

    public override void Flush()
    {
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        if (_length + buffer.Length > _bytes.Length)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            Array.Resize(ref _bytes, Math.Max(_length + buffer.Length, _bytes.Length * 2));
            t_allocated += GC.GetAllocatedBytesForCurrentThread() - before;
        }

        buffer.CopyTo(_bytes.AsSpan(_length));
        _length += buffer.Length;
    }

    [ThreadStatic]
    private static MeasuredOutput? t_output;

    [ThreadStatic]
    private static long t_allocated;
}
