namespace Dump.Clr.Frames;

/// <summary>A frame as the data-access library gives it.</summary>
/// <param name="InstructionPointer">Instruction pointer.</param>
/// <param name="StackPointer">Stack pointer; of a marker, its own address.</param>
/// <param name="Marker">Name of a marker of the runtime, "" for one without; null for a frame of code.</param>
/// <param name="MarkedMethod">Handle of the method that a marker stands for; 0 for none.</param>
internal readonly record struct LibraryFrame(ulong InstructionPointer, ulong StackPointer, string? Marker, ulong MarkedMethod);
