namespace Dump.Triage.Records;

/// <summary>Nothing can be written to the folder that was named for the records, so the run has not begun.</summary>
/// <param name="folder">The folder as it was given.</param>
/// <param name="message">Why, as a clause.</param>
/// <param name="inner">The cause.</param>
public sealed class UnusableOutputException(string folder, string message, Exception inner) : Exception(message, inner)
{
    /// <summary>The folder as it was given.</summary>
    public string Folder { get; } = folder;
}
