using Dump.Readers.Unwinding.Frames;
using Iced.Intel;

namespace Dump.Readers.Instructions;

/// <summary>Feeds the decoder with code from target memory, a page at a time, so that a long function needs no more memory than a short one.</summary>
internal sealed class MemoryCodeReader(IMemory memory, CodeRange code) : CodeReader
{
    private readonly byte[] _page = new byte[(int)Math.Min(0x1000, code.End - code.Begin)];
    private ulong _next = code.Begin;
    private int _at;
    private int _count;

    /// <inheritdoc/>
    public override int ReadByte()
    {
        if (_at == _count)
        {
            int wanted = (int)Math.Min((ulong)_page.Length, code.End - _next);
            _at = 0;
            _count = memory.Read(_next, _page.AsSpan(0, wanted));
            _next += (ulong)_count;
        }

        return _at < _count ? _page[_at++] : -1;
    }
}
