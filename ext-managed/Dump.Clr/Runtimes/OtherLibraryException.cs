namespace Dump.Clr.Runtimes;

/// <summary>A dump is not to be read in this process: it needs another data-access library than the one that was loaded, one where none may be, or
/// none.</summary>
/// <param name="wanted">Hash of the file of the one that it needs; empty for none.</param>
public sealed class OtherLibraryException(string wanted) : Exception("this process has loaded the data-access library of another runtime")
{
    /// <summary>Hash of the file of the library that it needs (SHA-256, lower-case hexadecimal); empty for none.</summary>
    public string Wanted { get; } = wanted;
}
