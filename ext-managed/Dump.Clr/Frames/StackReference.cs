namespace Dump.Clr.Frames;

/// <summary>A reference from a stack or from the registers of its thread, as the data-access library gives it.</summary>
/// <param name="Object">Address that it leads to.</param>
/// <param name="IsInterior">True when it may lead into an object instead of to its start.</param>
/// <param name="FrameStackPointer">Stack pointer of the frame that it is reported for.</param>
/// <param name="Address">Where it lies; 0 for one in a register.</param>
internal readonly record struct StackReference(ulong Object, bool IsInterior, ulong FrameStackPointer, ulong Address);
