using Dump.Model.Process;

namespace Dump.Readers.Symbols;

/// <summary>A function found by address.</summary>
/// <param name="Name">Its name, sanitised.</param>
/// <param name="Start">Address of its first instruction.</param>
/// <param name="Source">Where the name comes from.</param>
public readonly record struct FunctionName(string Name, ulong Start, SymbolSource Source);
