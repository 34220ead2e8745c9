using System.Reflection;
using Dump.Clr.Runtimes;
using Dump.Engine;
using Dump.Model.Text;

namespace Dump.Cli.Output;

/// <summary><c>dumpanalyze --version --verbose</c>: the version, and which libraries of other programs are here that it can use.</summary>
internal static class VersionReport
{
    private const string Verbose = "--verbose";
    private const string Version = "--version";
    private const string Shim = "--dbgshim";

    /// <summary>True for a command line that asks for it.</summary>
    public static bool IsAsked(string[] arguments) =>
        arguments.Contains(Version) && arguments.Contains(Verbose)
        && arguments.Where((a, i) => a is not (Version or Verbose or Shim) && (i == 0 || arguments[i - 1] != Shim)).FirstOrDefault() is null;

    /// <summary>Writes it.</summary>
    /// <param name="arguments">The command line.</param>
    public static void Write(string[] arguments)
    {
        int named = Array.IndexOf(arguments, Shim);
        LocatedShim shim = LivingSession.FindShim(named >= 0 && named + 1 < arguments.Length ? arguments[named + 1] : null);
        ReportOutput.Text(output =>
        {
            output.WriteLine(typeof(VersionReport).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion);
            output.WriteLine($"runtime: {System.Runtime.InteropServices.RuntimeInformation.FrameworkDescription}, "
                + $"{System.Runtime.InteropServices.RuntimeInformation.RuntimeIdentifier}");
            output.WriteLine(shim.Path is { } path ? $"DbgShim: found, {SafeText.Clean(path)} ({shim.Words})" : $"DbgShim: not found: {shim.Words}");
        });
    }
}
