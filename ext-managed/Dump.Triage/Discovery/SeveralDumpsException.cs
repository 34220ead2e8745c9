namespace Dump.Triage.Discovery;

/// <summary>An archive holds more dumps than the one that was asked for.</summary>
/// <param name="archive">Path of the archive.</param>
/// <param name="message">Which dumps, in one line.</param>
public sealed class SeveralDumpsException(string archive, string message) : Exception(message)
{
    /// <summary>Path of the archive.</summary>
    public string Archive { get; } = archive;
}
