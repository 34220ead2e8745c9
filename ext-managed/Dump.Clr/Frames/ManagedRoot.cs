using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Frames;

/// <summary>An object that a stack frame refers to.</summary>
/// <param name="Object">The object.</param>
/// <param name="FrameStackPointer">Stack pointer of the frame that the runtime reports it for, or null.</param>
internal readonly record struct ManagedRoot(ClrObject Object, ulong? FrameStackPointer);
