using Dump.Readers.Files;

namespace Dump.Triage.Discovery;

/// <summary>
/// A member of an archive that is written down while its identity is found, so that it is unpacked once. Goes away when it is disposed, unless it was taken.
/// </summary>
internal sealed class KeptMember : IDisposable
{
    private readonly FileStream _file;
    private readonly WorkFolder _work;
    private bool _isWhole = true;
    private bool _isTaken;
    private long _bytes;

    /// <summary>Makes its file, empty.</summary>
    /// <param name="work">The folder of the run.</param>
    /// <param name="path">The file in a folder of its own.</param>
    /// <exception cref="IOException">It cannot be made.</exception>
    /// <exception cref="UnauthorizedAccessException">The folder may not be written to.</exception>
    public KeptMember(WorkFolder work, string path)
    {
        _work = work;
        Path = path;
        _file = PrivateFile.Create(path);
    }

    /// <summary>The file.</summary>
    public string Path { get; }

    /// <summary>A stream that reads another and writes down what was read.</summary>
    public Stream Copying(Stream content) => new CopyingStream(this, content);

    /// <summary>Keeps the file.</summary>
    /// <returns>Its path; null when it is not whole, because there was no room for it.</returns>
    public string? Take()
    {
        try
        {
            _file.Dispose();
            _isTaken = _isWhole;
        }
        catch (IOException)
        {
            // The disk is full: it is unpacked again when there may be room.
        }

        return _isTaken ? Path : null;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (!_isTaken)
        {
            _isWhole = false;
            Close();
            _work.GiveBack(_bytes);
            _work.Release(Path);
        }
    }

    private void Write(ReadOnlySpan<byte> bytes)
    {
        if (!_isWhole)
        {
            return;
        }

        try
        {
            _isWhole = _work.TryKeep(bytes.Length);
            if (_isWhole)
            {
                _bytes += bytes.Length;
                _file.Write(bytes);
                return;
            }
        }
        catch (IOException)
        {
            _isWhole = false;
        }

        Close();
    }

    private void Close()
    {
        try
        {
            _file.Dispose();
        }
        catch (IOException)
        {
            // What was to be written is not wanted.
        }
    }

    private sealed class CopyingStream(KeptMember kept, Stream content) : ReadOnlyStream
    {
        public override int Read(Span<byte> buffer)
        {
            int length = content.Read(buffer);
            kept.Write(buffer[..length]);
            return length;
        }
    }
}
