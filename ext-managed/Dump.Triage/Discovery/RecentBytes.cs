using Dump.Model.Text;

namespace Dump.Triage.Discovery;

/// <summary>The last bytes of a stream.</summary>
/// <param name="capacity">How many are kept.</param>
internal sealed class RecentBytes(int capacity)
{
    private readonly byte[] _ring = new byte[capacity];
    private int _next;
    private long _seen;

    /// <summary>Adds bytes, at most as many as are kept.</summary>
    public void Append(ReadOnlySpan<byte> bytes)
    {
        int first = Math.Min(bytes.Length, _ring.Length - _next);
        bytes[..first].CopyTo(_ring.AsSpan(_next));
        bytes[first..].CopyTo(_ring);
        _next = (_next + bytes.Length) % _ring.Length;
        _seen += bytes.Length;
    }

    /// <summary>Gives them to a hash, oldest first.</summary>
    public void CopyTo(Sha256 hash)
    {
        if (_seen >= _ring.Length)
        {
            hash.Append(_ring.AsSpan(_next));
        }

        hash.Append(_ring.AsSpan(0, _next));
    }
}
