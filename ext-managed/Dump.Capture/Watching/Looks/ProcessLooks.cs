namespace Dump.Capture.Watching.Looks;

/// <summary>The looks of this system.</summary>
public static class ProcessLooks
{
    /// <summary>Those of this system; null on others than Linux and Windows.</summary>
    public static IProcessLooks? OfSystem() =>
        OperatingSystem.IsLinux() ? new LinuxProcessLooks() : OperatingSystem.IsWindows() ? new WindowsProcessLooks() : null;
}
