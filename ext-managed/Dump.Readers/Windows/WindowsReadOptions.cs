namespace Dump.Readers.Windows;

/// <summary>How a Windows dump is read.</summary>
public sealed record WindowsReadOptions
{
    /// <summary>Directories with PE files that stand in for image pages which the dump lacks; matched by time stamp and size.</summary>
    public IReadOnlyList<string> ImageDirectories { get; init; } = [];

    /// <summary>Symbol path in the form of <c>_NT_SYMBOL_PATH</c>, or null. Only local directories are used.</summary>
    public string? SymbolPath { get; init; }

    /// <summary>PDB files and images that a debugger has opened for the dump's modules: looked at before all others where the name fits, and matched like
    /// them.</summary>
    public IReadOnlyList<string> ModuleFiles { get; init; } = [];

    /// <summary>Limits on counts and sizes.</summary>
    public ReadLimits Limits { get; init; } = ReadLimits.Default;
}
