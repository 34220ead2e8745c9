namespace Dump.Readers.Minidump;

/// <summary>A range of bytes in the file.</summary>
/// <param name="Offset">File offset in bytes.</param>
/// <param name="Size">Length in bytes.</param>
public readonly record struct FileRange(long Offset, long Size);
