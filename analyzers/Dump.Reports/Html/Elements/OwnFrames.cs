using Dump.Model;
using Dump.Model.Reported;
using Dump.Model.Wording;

namespace Dump.Reports.Html.Elements;

/// <summary>Tells frames of the operating system and of .NET from those of the program and of others' libraries.</summary>
/// <param name="report">The report that lists the modules.</param>
internal sealed class OwnFrames(HangReport report)
{
    // File names of .NET without their endings, in lower case: its native parts, and how the names of its assemblies begin.
    private static readonly string[] s_runtime = ["coreclr", "libcoreclr", "clr", "clrjit", "libclrjit", "mscorwks", "mscorlib", "netstandard", "hostfxr",
        "libhostfxr", "hostpolicy", "libhostpolicy"];
    private static readonly string[] s_assemblies = ["system.", "microsoft.extensions.", "microsoft.aspnetcore.", "libsystem."];

    private readonly HashSet<string> _systemModules = [.. report.Modules.Where(m => m.IsSystem == true).Select(m => FrameWords.Stem(m.Name))];

    /// <summary>True for a frame of a module that is known to be the system's or .NET's.</summary>
    public bool IsSystem(ReportedFrame frame) =>
        frame.Module is { } module && (_systemModules.Contains(FrameWords.Stem(module)) || IsRuntime(module.ToLowerInvariant()));

    /// <summary>
    /// The innermost frame that is neither the system's nor a library's that is compiled into the program: one with a name where there is one, else any in a
    /// module; null when there is none.
    /// </summary>
    public ReportedFrame? Innermost(ReportedStack stack)
    {
        ReportedFrame[] own = [.. stack.Frames.Where(f => f.Module is not null && !IsSystem(f))];
        return own.FirstOrDefault(f => f.Function is not null && !LibraryCode.Contains(f)) ?? own.FirstOrDefault(f => f.Function is not null) ?? own.FirstOrDefault();
    }

    private static bool IsRuntime(string module) =>
        s_runtime.Contains(FrameWords.Stem(module)) || Array.Exists(s_assemblies, a => module.StartsWith(a, StringComparison.Ordinal));
}
