using System.Text;

namespace Dump.Triage.Children;

/// <summary>
/// The last characters that a child process has written to standard error so far. The end of the stream need not come: another process may hold the other end open.
/// </summary>
internal sealed class LastWords
{
    private const int MostBytes = 4096;
    private readonly byte[] _kept = new byte[2 * MostBytes];
    private readonly Lock _lock = new();
    private int _length;

    /// <summary>Begins to read.</summary>
    public LastWords(Stream stream) => Reading = ReadAsync(stream);

    /// <summary>Done at the end of the stream.</summary>
    public Task Reading { get; }

    /// <summary>What has come so far.</summary>
    public string Text
    {
        get
        {
            lock (_lock)
            {
                return Encoding.UTF8.GetString(_kept, 0, _length);
            }
        }
    }

    private async Task ReadAsync(Stream stream)
    {
        byte[] buffer = new byte[MostBytes];
        while (await stream.ReadAsync(buffer).ConfigureAwait(false) is > 0 and var read)
        {
            lock (_lock)
            {
                int kept = Math.Min(_length, MostBytes);
                _kept.AsSpan(_length - kept, kept).CopyTo(_kept);
                buffer.AsSpan(0, read).CopyTo(_kept.AsSpan(kept));
                _length = kept + read;
            }
        }
    }
}
