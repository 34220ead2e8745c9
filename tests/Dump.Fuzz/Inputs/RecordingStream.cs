namespace Dump.Fuzz.Inputs;

/// <summary>Bytes that remember which of them were read.</summary>
/// <param name="bytes">The bytes.</param>
internal sealed class RecordingStream(byte[] bytes) : MemoryStream(bytes, writable: false)
{
    private const int MostWords = 512;
    private const int Word = sizeof(ulong);
    private readonly Lock _lock = new();
    private readonly SortedSet<long> _words = [];

    /// <summary>Beginnings of the words that were read, of long reads the first 512.</summary>
    public IReadOnlyCollection<long> Words => _words;

    /// <inheritdoc/>
    public override int Read(Span<byte> buffer)
    {
        Note(Position, buffer.Length);
        return base.Read(buffer);
    }

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count)
    {
        Note(Position, count);
        return base.Read(buffer, offset, count);
    }

    private void Note(long at, int count)
    {
        lock (_lock)
        {
            for (long word = at & ~(Word - 1L), end = at + Math.Min(count, MostWords * Word); word < end; word += Word)
            {
                _words.Add(word);
            }
        }
    }
}
