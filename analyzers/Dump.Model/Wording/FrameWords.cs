using System.Globalization;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Text;

namespace Dump.Model.Wording;

/// <summary>Stack frames in words.</summary>
public static class FrameWords
{
    /// <summary>
    /// A frame without what differs from run to run: <c>module!function</c>, <c>module+0x1234</c>, or words where its address is in no module.
    /// </summary>
    public static string Place(ReportedFrame frame) => Place(frame.Module, frame.Function, frame.ModuleOffset);

    /// <summary>The same, of what a frame consists of.</summary>
    /// <param name="moduleName">The module's file name, or null.</param>
    /// <param name="functionName">The function's name, or null.</param>
    /// <param name="moduleOffset">The distance from the module's base in bytes, or null.</param>
    public static string Place(string? moduleName, string? functionName, ulong? moduleOffset) => (moduleName, functionName, moduleOffset) switch
    {
        ({ } module, { } function, _) => $"{Stem(module)}!{function}",
        ({ } module, null, { } offset) => $"{Stem(module)}+0x{offset:x}",
        ({ } module, null, null) => Stem(module),
        _ => "(address in no module)",
    };

    /// <summary>Where to read the program's code in a frame: of its functions that are inlined there the innermost, else the frame's own.</summary>
    public static (string Code, SourceLocation? Source) Own(StackFrame frame) => frame.Inlined is [var inlined, ..]
        ? (Place(frame.Module, inlined.Function, null), inlined.Source) : (Place(frame.Module, frame.Function, frame.ModuleOffset), frame.Source);

    /// <summary>The same of a frame in a report.</summary>
    public static (string Code, SourceLocation? Source) Own(ReportedFrame frame) => frame.Inlined is [var inlined, ..]
        ? (Place(frame.Module, inlined.Function, null), inlined.Source) : (Place(frame), frame.Source);

    /// <summary>The program's functions that are inlined into a frame's, with a space before them; nothing where there are none.</summary>
    public static string Inlined(ReportedFrame frame) => frame.Inlined.IsEmpty ? ""
        : $" (inlined: {string.Join(", called by ", frame.Inlined.Select(i => $"{i.Function}{Source(i.Source)}"))})";

    /// <summary>The same, with the address of a frame that has no place in a module.</summary>
    public static string PlaceOrAddress(ReportedFrame frame) =>
        frame is { Function: null, ModuleOffset: null, InstructionPointer: > 0 } ? $"0x{frame.InstructionPointer:x}" : Place(frame);

    /// <summary>What stands behind the place: the distance into the function, the export that was called instead, the signal that was handled.</summary>
    public static string Distance(ReportedFrame frame)
    {
        // Where a method was compiled anew its beginning is that of the new code, and the distance of a frame in the old code is unknown.
        string offset = frame is { Function: not null, FunctionOffset: { } distance and > 0 } ? $"+0x{distance:x}" : "";
        string signal = frame.IsOfSignal ? $" (handler of {LinuxSignals.NameOf(frame.Signal)})" : "";
        return frame is { Function: null, ModuleOffset: not null, EnteredAs: { } export } ? $"{offset} (called as {export}){signal}" : $"{offset}{signal}";
    }

    /// <summary>File and line of a frame behind its place, with a space before them; nothing where they are unknown.</summary>
    public static string Source(SourceLocation? source) => source is null ? "" : $" {source.Text}";

    /// <summary>How a frame was found where unwind information did not lead to it; else nothing.</summary>
    public static string Trust(ReportedFrame frame) => frame.IsInlined ? "(inlined, known by the thread's task)" : frame.Trust switch
    {
        FrameTrust.Scan => "(found by stack scan)",
        FrameTrust.FramePointer => "(found by frame pointer)",
        _ => "",
    };

    /// <summary>A frame with its number, in the form used under every stack of a text.</summary>
    public static string Numbered(ReportedFrame frame)
    {
        string tag = frame.Tag is { } known ? $"   [{known}]" : "";
        string trust = Trust(frame) is { Length: > 0 } words ? $"   {words}" : "";
        string place = $"{PlaceOrAddress(frame)}{Distance(frame)}{Source(frame.Source)}{Inlined(frame)}";
        return string.Create(CultureInfo.InvariantCulture, $"{frame.Index,3}  {frame.StackPointer:x12}  {place}{tag}{trust}");
    }

    /// <summary>How many frames are not shown.</summary>
    public static string LeftOut(int count) => $"{CountText.Of(count, "frame")} left out";

    /// <summary>Why a stack ends, or null when it is complete or nothing is known of that.</summary>
    public static string? End(StackEnd? end) => end switch
    {
        StackEnd.MemoryMissing => "the stack goes on, but its memory is not in the dump",
        StackEnd.UnwindInfoMissing => "the stack goes on, but unwind information is missing: give the images with --images DIR",
        StackEnd.Inconsistent => "the stack could not be followed further: its data contradict each other",
        StackEnd.Limit => "the limit on frames was reached",
        StackEnd.NoContext => "no usable registers for this thread",
        _ => null,
    };

    /// <summary>A module's name without extension, in lower case.</summary>
    public static string Stem(string module)
    {
        int dot = module.LastIndexOf('.');
        return (dot > 0 ? module[..dot] : module).ToLowerInvariant();
    }
}
