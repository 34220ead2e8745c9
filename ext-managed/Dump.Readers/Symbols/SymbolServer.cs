namespace Dump.Readers.Symbols;

/// <summary>A server of a symbol path. The reading of dumps never asks it.</summary>
/// <param name="Address">Its address as the path has it, for example <c>https://symbols.example/download</c>.</param>
/// <param name="Cache">Local directory that debuggers put its files into; null when the path names none and the system has no usual one.</param>
public sealed record SymbolServer(string Address, string? Cache);
