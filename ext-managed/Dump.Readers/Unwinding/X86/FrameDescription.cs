namespace Dump.Readers.Unwinding.X86;

/// <summary>How a stretch of 32-bit code keeps its frame, as a PDB describes it (FRAMEDATA and FPO_DATA of Microsoft's cvinfo.h and winnt.h).</summary>
/// <param name="LocalBytes">Bytes of local variables.</param>
/// <param name="ParameterBytes">Bytes of arguments on the stack.</param>
/// <param name="SavedRegisterBytes">Bytes of saved registers.</param>
/// <param name="UsesFramePointer">True when EBP is the frame pointer (old form only).</param>
/// <param name="Program">The program that computes the caller's registers, or null for the old form without one.</param>
public sealed record FrameDescription(uint LocalBytes, uint ParameterBytes, uint SavedRegisterBytes, bool UsesFramePointer, string? Program);
