namespace Dump.Model.Facts;

/// <summary>What advice is given on: it names the tools of its system, and a living process by its id.</summary>
/// <param name="IsLinux">True for Linux, false for Windows.</param>
/// <param name="RunsDotNet">False for a process that is known to have no .NET runtime.</param>
/// <param name="LivingProcess">Id of a living process; null for a dump.</param>
public sealed record CaptureTarget(bool IsLinux, bool RunsDotNet, uint? LivingProcess)
{
    /// <summary>A dump of which nothing is known but the system that this program runs on.</summary>
    public static CaptureTarget OfThisSystem { get; } = new(OperatingSystem.IsLinux(), RunsDotNet: true, LivingProcess: null);
}
