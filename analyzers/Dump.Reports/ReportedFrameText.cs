using Dump.Model.Process;
using Dump.Model.Reported;

namespace Dump.Reports;

/// <summary>Reported frames in words.</summary>
internal static class ReportedFrameText
{
    /// <summary>A frame as <c>module!function</c>, <c>module+0x1234</c>, or words where its address is in no module.</summary>
    public static string Place(ReportedFrame frame) => (frame.Module, frame.Function, frame.ModuleOffset) switch
    {
        ({ } module, { } function, _) => $"{Stem(module)}!{function}",
        ({ } module, null, { } offset) => $"{Stem(module)}+0x{offset:x}",
        ({ } module, null, null) => Stem(module),
        _ => "(address in no module)",
    };

    /// <summary>What stands behind the place in a fainter hue: the distance into the function, the export that was called, how the frame was found.</summary>
    public static string Suffix(ReportedFrame frame)
    {
        string offset = frame is { Function: not null, FunctionOffset: { } distance and > 0 } ? $"+0x{distance:x}" : "";
        string entry = frame is { Function: null, EnteredAs: { } export } ? $" (called as {export})" : "";
        string trust = frame.Trust switch
        {
            FrameTrust.Scan => " found by stack scan",
            FrameTrust.FramePointer => " found by frame pointer",
            _ => "",
        };
        return offset + entry + trust;
    }

    /// <summary>A module's name without extension, in lower case.</summary>
    public static string Stem(string module)
    {
        int dot = module.LastIndexOf('.');
        return (dot > 0 ? module[..dot] : module).ToLowerInvariant();
    }
}
