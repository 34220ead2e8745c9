using Dump.Model.Process;

namespace Dump.Readers.Symbols.Pdb;

/// <summary>A function of a program database.</summary>
/// <param name="Rva">Where it begins, relative to the image.</param>
/// <param name="Length">Length of its code in bytes; null for a public symbol, which does not tell.</param>
/// <param name="Name">Its name, sanitised; decorated only where <see cref="DecoratedName"/> leaves it so.</param>
/// <param name="Source">Kind of record.</param>
internal readonly record struct PdbFunction(uint Rva, uint? Length, string Name, SymbolSource Source);
