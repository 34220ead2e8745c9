using Dump.Capture.Proc;
using Dump.Capture.Windows;
using Dump.Capture.Windows.Calls;
using Dump.Model.Text;

namespace Dump.Capture;

/// <summary>Living .NET processes that this user may look at; none is stopped or disturbed.</summary>
public static class LivingProcesses
{
    /// <summary>Finds them, by process id, without this process itself; none on other systems than Linux and Windows.</summary>
    public static IReadOnlyList<DotNetProcess> Find() => OperatingSystem.IsLinux() ? DotNetProcesses.Find()
        : OperatingSystem.IsWindows() ? WindowsProcesses.Find() : [];

    /// <summary>
    /// Keeps a process' id for that process over several looks, until what is returned is disposed; null where the system has no such thing, or there is no
    /// such process.
    /// </summary>
    /// <param name="process">Process id.</param>
    public static IDisposable? Keep(int process) => OperatingSystem.IsWindows() ? OpenProcess.Of(process) : null;

    /// <summary>The command line of a process, sanitised and shortened; null where it cannot be read.</summary>
    /// <param name="process">Process id.</param>
    public static string? CommandLine(int process)
    {
        string? line = OperatingSystem.IsLinux() ? DotNetProcesses.CommandLine(process) : null;
        if (OperatingSystem.IsWindows())
        {
            using OpenProcess? open = OpenProcess.Of(process);
            line = SafeText.Clean(open?.CommandLine, DotNetProcess.LongestCommandLine);
        }

        return line is { Length: > 0 } ? line : null;
    }

    /// <summary>What to do to find those of other users, as a clause; null when nothing is known to.</summary>
    public static string? AdviceOnOthers => OperatingSystem.IsLinux() ? DotNetProcesses.AdviceOnOthers
        : OperatingSystem.IsWindows() ? "run dumpanalyze as administrator" : null;
}
