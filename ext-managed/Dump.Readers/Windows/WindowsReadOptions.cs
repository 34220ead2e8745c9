namespace Dump.Readers.Windows;

/// <summary>How a Windows dump is read.</summary>
public sealed record WindowsReadOptions
{
    /// <summary>Directories with PE files that stand in for image pages which the dump lacks; matched by time stamp and size.</summary>
    public IReadOnlyList<string> ImageDirectories { get; init; } = [];

    /// <summary>Symbol path in the form of <c>_NT_SYMBOL_PATH</c>, or null. Only local directories are used.</summary>
    public string? SymbolPath { get; init; }

    /// <summary>Limits on counts and sizes.</summary>
    public ReadLimits Limits { get; init; } = ReadLimits.Default;
}
