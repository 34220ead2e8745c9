namespace Dump.Readers.Elf;

/// <summary>A function by a symbol of its image.</summary>
/// <param name="Name">Its name as linkers know it, without a version.</param>
/// <param name="Address">Where it begins.</param>
/// <param name="Size">How many bytes it has.</param>
internal sealed record ElfFunction(string Name, ulong Address, ulong Size);
