namespace Dump.Readers.Pe;

/// <summary>A named export.</summary>
/// <param name="Name">Its name: printable ASCII.</param>
/// <param name="Ordinal">Its ordinal.</param>
/// <param name="Rva">Relative address of what is exported; of the forwarder's text when <paramref name="IsForwarder"/> is true.</param>
/// <param name="IsForwarder">True when the export stands for an export of another module and has no code here.</param>
public readonly record struct PeExport(string Name, uint Ordinal, uint Rva, bool IsForwarder);
