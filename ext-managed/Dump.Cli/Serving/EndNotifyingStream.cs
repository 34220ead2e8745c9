namespace Dump.Cli.Serving;

/// <summary>Standard input that tells when it has ended, and whose readers can be made to give up. A client ends a server by closing it.</summary>
/// <param name="input">Standard input.</param>
/// <param name="ended">Called at its end.</param>
internal sealed class EndNotifyingStream(Stream input, Action ended) : Stream
{
    /// <inheritdoc/>
    public override bool CanRead => true;

    /// <inheritdoc/>
    public override bool CanSeek => false;

    /// <inheritdoc/>
    public override bool CanWrite => false;

    /// <inheritdoc/>
    public override long Length => throw new NotSupportedException();

    /// <inheritdoc/>
    public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    /// <inheritdoc/>
    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        // A read of standard input does not look at its token. The buffer must not be written to once the reader has given up, so it gets one of its own.
        byte[] own = new byte[buffer.Length];
        int read = await Task.Run(() => input.Read(own), CancellationToken.None).WaitAsync(cancellationToken).ConfigureAwait(false);
        own.AsMemory(0, read).CopyTo(buffer);
        if (read == 0)
        {
            ended();
        }

        return read;
    }

    /// <inheritdoc/>
    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void Flush()
    {
    }

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}
