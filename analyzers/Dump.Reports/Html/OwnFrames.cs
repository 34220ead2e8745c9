using Dump.Model.Reported;

namespace Dump.Reports.Html;

/// <summary>Tells frames of the operating system from those of the program and of others' libraries.</summary>
/// <param name="report">The report that lists the modules.</param>
internal sealed class OwnFrames(HangReport report)
{
    private readonly HashSet<string> _systemModules = [.. report.Modules.Where(m => m.IsSystem == true).Select(m => ReportedFrameText.Stem(m.Name))];

    /// <summary>True for a frame of a module that is known to be the system's.</summary>
    public bool IsSystem(ReportedFrame frame) => frame.Module is { } module && _systemModules.Contains(ReportedFrameText.Stem(module));

    /// <summary>The innermost frame that is not the system's: one with a name where there is one, else any in a module; null when there is none.</summary>
    public ReportedFrame? Innermost(ReportedStack stack)
    {
        ReportedFrame[] own = [.. stack.Frames.Where(f => f.Module is not null && !IsSystem(f))];
        return own.FirstOrDefault(f => f.Function is not null) ?? own.FirstOrDefault();
    }
}
