namespace Dump.Readers;

/// <summary>
/// The only exception that readers throw for bad input: the input cannot be analysed at all. The message is one line for people and says what to do next.
/// </summary>
public sealed class InvalidDumpException : Exception
{
    /// <summary>Creates the exception.</summary>
    /// <param name="message">One line: what the input is or lacks, and what to do next.</param>
    public InvalidDumpException(string message)
        : base(message)
    {
    }

    /// <summary>Creates the exception with its cause.</summary>
    /// <param name="message">One line: what the input is or lacks, and what to do next.</param>
    /// <param name="innerException">The cause.</param>
    public InvalidDumpException(string message, Exception innerException)
        : base(message, innerException)
    {
    }
}
