using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.Versioning;
using System.Text.RegularExpressions;
using Dump.Capture.Proc;
using Dump.Model.Text;

namespace Dump.Capture.Windows;

/// <summary>Lists living .NET processes by the libraries that they have loaded. A program with the runtime inside of its own file is not found.</summary>
[SupportedOSPlatform("windows")]
internal static partial class WindowsProcesses
{
    private const int LongestPath = 100;
    private static readonly string[] s_runtimes = ["coreclr.dll", "clr.dll"];

    /// <summary>Finds them, by process id, without this process itself.</summary>
    public static IReadOnlyList<DotNetProcess> Find()
    {
        List<DotNetProcess> found = [];
        foreach (Process process in Process.GetProcesses().OrderBy(p => p.Id))
        {
            using (process)
            {
                if (process.Id != Environment.ProcessId && Look(process) is { } one)
                {
                    found.Add(one);
                }
            }
        }

        return found;
    }

    private static DotNetProcess? Look(Process process)
    {
        try
        {
            string? runtime = process.Modules.Cast<ProcessModule>().Select(m => m.FileName)
                .FirstOrDefault(f => s_runtimes.Contains(Path.GetFileName(f), StringComparer.OrdinalIgnoreCase));
            return runtime is null ? null
                : new DotNetProcess(process.Id, SharedRuntime().Match(runtime) is { Success: true } shared ? shared.Groups[1].Value : null,
                    SafeText.Clean(process.MainModule?.FileName ?? process.ProcessName, LongestPath));
        }
        catch (Exception error) when (error is Win32Exception or InvalidOperationException or NotSupportedException)
        {
            // It has ended, or may not be looked at.
            return null;
        }
    }

    [GeneratedRegex(@"\\Microsoft\.NETCore\.App\\([0-9][0-9A-Za-z.\-]*)\\coreclr\.dll$", RegexOptions.IgnoreCase)]
    private static partial Regex SharedRuntime();
}
