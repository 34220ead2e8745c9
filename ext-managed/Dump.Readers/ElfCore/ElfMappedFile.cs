namespace Dump.Readers.ElfCore;

/// <summary>A file mapping, from NT_FILE. createdump and kernels write this note.</summary>
/// <param name="Start">First address.</param>
/// <param name="End">Address behind the last byte.</param>
/// <param name="FileOffset">Offset in the file, bytes.</param>
/// <param name="Path">The file (sanitised).</param>
public sealed record ElfMappedFile(ulong Start, ulong End, ulong FileOffset, string Path);
