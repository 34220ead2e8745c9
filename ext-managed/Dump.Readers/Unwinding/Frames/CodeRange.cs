namespace Dump.Readers.Unwinding.Frames;

/// <summary>A range of code that one entry of a function table describes: a function, or a part of one that is split.</summary>
/// <param name="Begin">Address of its first byte.</param>
/// <param name="End">Address just after its last byte.</param>
public readonly record struct CodeRange(ulong Begin, ulong End);
