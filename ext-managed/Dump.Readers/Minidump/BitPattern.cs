namespace Dump.Readers.Minidump;

/// <summary>A 32-bit value that people read in hexadecimal: flags, codes, ids, time stamps of images. A number in JSON.</summary>
/// <param name="Value">The value.</param>
internal readonly record struct BitPattern(uint Value);
