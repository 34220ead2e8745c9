using Dump.Readers.Cabinets;

namespace Dump.Readers.Windows;

/// <summary>How a Windows dump is read.</summary>
public sealed record WindowsReadOptions
{
    /// <summary>Directories with PE files that stand in for image pages which the dump lacks; matched by time stamp and size.</summary>
    public IReadOnlyList<string> ImageDirectories { get; init; } = [];

    /// <summary>
    /// Symbol path in the form of <c>_NT_SYMBOL_PATH</c>, or null. Only local directories are used: for PDB files, and for images behind those of
    /// <see cref="ImageDirectories"/>.
    /// </summary>
    public string? SymbolPath { get; init; }

    /// <summary>PDB files and images that a debugger has opened for the dump's modules: looked at before all others where the name fits, and matched like
    /// them.</summary>
    public IReadOnlyList<string> ModuleFiles { get; init; } = [];

    /// <summary>Unpacks compressed files of symbol stores; null for the reader of every system, which does not know LZX.</summary>
    public ICabinets? Cabinets { get; init; }

    /// <summary>Limits on counts and sizes.</summary>
    public ReadLimits Limits { get; init; } = ReadLimits.Default;
}
