using System.Globalization;

namespace Dump.Readers.Pe;

/// <summary>Which PDB belongs to an image (the RSDS record of its debug directory).</summary>
/// <param name="FileName">File name of the PDB without directory, sanitised.</param>
/// <param name="Guid">Identity of the PDB.</param>
/// <param name="Age">Age of the PDB: how often it was written.</param>
public sealed record PdbIdentity(string FileName, Guid Guid, uint Age)
{
    /// <summary>The last component of the name.</summary>
    public string PlainName => FileName[(FileName.AsSpan().LastIndexOfAny('/', '\\') + 1)..];

    /// <summary>What a symbol store files it under: GUID, then age, hexadecimal.</summary>
    public string StoreKey => string.Create(CultureInfo.InvariantCulture, $"{Guid.ToString("N").ToUpperInvariant()}{Age:X}");
}
