namespace Dump.Readers.Minidump;

/// <summary>Memory that is saved in the file (MemoryList or Memory64List).</summary>
/// <param name="Address">Virtual address.</param>
/// <param name="Bytes">Where its bytes are in the file.</param>
public readonly record struct MinidumpMemoryRange(ulong Address, FileRange Bytes);
