using System.Globalization;
using Dump.Model.Process;

namespace Dump.Reports;

/// <summary>Stack frames in words.</summary>
public static class FrameText
{
    /// <summary>A frame as <c>module!function+0x1c</c>, <c>module+0x1234</c> or an address, with a mark where it was not found by unwind information.</summary>
    public static string Describe(StackFrame frame)
    {
        string place = frame switch
        {
            // Where a method was compiled anew its beginning is that of the new code, and the distance of a frame in the old code is unknown.
            { ModuleStem: { } module, Function: { } function } => $"{module}!{function}{Offset(frame.FunctionOffset ?? 0)}",
            { ModuleStem: { } module, ModuleOffset: { } offset, EnteredAs: { } entry } => $"{module}+0x{offset:x} (called as {entry})",
            { ModuleStem: { } module, ModuleOffset: { } offset } => $"{module}+0x{offset:x}",
            _ => $"0x{frame.InstructionPointer:x}",
        };
        string tagged = frame.Tag is { } tag ? $"{place}   [{tag}]" : place;
        return frame.Trust switch
        {
            FrameTrust.Scan => tagged + "   (found by stack scan)",
            FrameTrust.FramePointer => tagged + "   (found by frame pointer)",
            _ => tagged,
        };
    }

    /// <summary>A frame without the place inside its function: <c>module!function</c>, or as <see cref="Describe"/> has it where there is no name.</summary>
    public static string Function(StackFrame frame) => frame switch
    {
        { ModuleStem: { } module, Function: { } function } => $"{module}!{function}",
        { ModuleStem: { } module, ModuleOffset: { } offset } => $"{module}+0x{offset:x}",
        _ => $"0x{frame.InstructionPointer:x}",
    };

    /// <summary>A frame with its number, in the form used under every stack.</summary>
    public static string Numbered(int index, StackFrame frame) =>
        string.Create(CultureInfo.InvariantCulture, $"{index,3}  {frame.StackPointer:x12}  {Describe(frame)}");

    /// <summary>Why a stack ends, or null when it is complete.</summary>
    public static string? End(StackEnd end) => end switch
    {
        StackEnd.MemoryMissing => "the stack goes on, but its memory is not in the dump",
        StackEnd.UnwindInfoMissing => "the stack goes on, but unwind information is missing: give the images with --images DIR",
        StackEnd.Inconsistent => "the stack could not be followed further: its data contradict each other",
        StackEnd.Limit => "the limit on frames was reached",
        StackEnd.NoContext => "no usable registers for this thread",
        _ => null,
    };

    private static string Offset(ulong offset) => offset == 0 ? "" : $"+0x{offset:x}";
}
