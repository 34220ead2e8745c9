namespace Dump.Triage.Archives;

/// <summary>A member of an archive is not unpacked.</summary>
/// <param name="message">Why, as a clause.</param>
/// <param name="mayChange">True when it may be possible at another time.</param>
internal sealed class RefusedMemberException(string message, bool mayChange = false) : Exception(message)
{
    /// <summary>True when it may be possible at another time, for example with more disk space.</summary>
    public bool MayChange { get; } = mayChange;
}
