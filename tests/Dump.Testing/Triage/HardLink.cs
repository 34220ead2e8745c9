using System.Diagnostics;

namespace Dump.Testing.Triage;

/// <summary>Second names of files.</summary>
internal static class HardLink
{
    /// <summary>Gives a file a second name.</summary>
    /// <returns>False where the system or the file system cannot.</returns>
    public static bool TryCreate(string from, string to)
    {
        if (!OperatingSystem.IsLinux())
        {
            return false;
        }

        using Process link = Process.Start(new ProcessStartInfo("ln", ["-T", "--", from, to]) { RedirectStandardError = true })!;
        link.StandardError.ReadToEnd();
        link.WaitForExit();
        return link.ExitCode == 0;
    }
}
