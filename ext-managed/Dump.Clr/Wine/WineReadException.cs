namespace Dump.Clr.Wine;

/// <summary>Reading under Wine failed; the message is a clause for people.</summary>
internal sealed class WineReadException : Exception
{
    public WineReadException(string message)
        : base(message)
    {
    }

    public WineReadException(string message, Exception cause)
        : base(message, cause)
    {
    }
}
