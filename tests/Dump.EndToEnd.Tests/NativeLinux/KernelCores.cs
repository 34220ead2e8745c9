namespace Dump.EndToEnd.Tests.NativeLinux;

/// <summary>Whether the kernel of this machine writes cores where a test finds them.</summary>
internal static class KernelCores
{
    /// <summary>Skips the test where it gives them to a program, or puts them into a folder of its own.</summary>
    public static void SkipWithoutThem()
    {
        string pattern = File.ReadAllText("/proc/sys/kernel/core_pattern").Trim();
        Skip.If(pattern.Contains('|', StringComparison.Ordinal) || pattern.Contains('/', StringComparison.Ordinal),
            $"needs cores in the current directory, but /proc/sys/kernel/core_pattern is {pattern}");
    }
}
