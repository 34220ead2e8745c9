using System.Globalization;
using System.Reflection;
using System.Text;
using Dump.Model.Contract;
using Dump.Model.Text;

namespace Dump.Triage;

/// <summary>
/// The line that says what made a record: this program with the identity of its build, the installed .NET
/// runtimes (whose data-access libraries read cores) and the options of the analysis.
/// </summary>
internal static class ToolLine
{
    private const int HashDigits = 12;
    private const string SharedRuntime = "Microsoft.NETCore.App";

    // What decides over a report.
    private static readonly string[] s_deciding = ["Dump.Model", "Dump.Analysis", "Dump.Reports", "Dump.Readers", "Dump.Clr", "Dump.Capture", "Dump.Engine"];

    /// <summary>States version and build of this program, the installed runtimes and a hash of the options.</summary>
    /// <param name="arguments">Options of the analysis.</param>
    public static string Of(IEnumerable<string> arguments)
    {
        string version = typeof(ToolLine).Assembly.GetName().Version?.ToString(3) ?? "0";
        StringBuilder line = new();
        line.Append(CultureInfo.InvariantCulture, $"dumpanalyze {version} build {Build()}");
        string runtimes = string.Join(' ', Runtimes());
        if (runtimes.Length > 0)
        {
            line.Append(CultureInfo.InvariantCulture, $"; runtimes {runtimes}");
        }

        string options = string.Join('\0', arguments.Append(Environment.GetEnvironmentVariable(EnvironmentVariables.SymbolPath) ?? ""));
        if (options.Length > 0)
        {
            line.Append(CultureInfo.InvariantCulture, $"; options {Hash(options)}");
        }

        return line.ToString();
    }

    // Versions of modules are hashes of their code: builds are deterministic.
    private static string Build() => Hash(string.Join(' ', s_deciding.Select(name =>
    {
        try
        {
            return Assembly.Load(name).ManifestModule.ModuleVersionId.ToString();
        }
        catch (Exception error) when (error is IOException or BadImageFormatException)
        {
            return name;
        }
    })));

    private static IEnumerable<string> Runtimes()
    {
        string? shared =
            Path.GetDirectoryName(
                Path.GetDirectoryName(Path.TrimEndingDirectorySeparator(System.Runtime.InteropServices.RuntimeEnvironment.GetRuntimeDirectory())));
        string folder = Path.Combine(shared ?? "", SharedRuntime);
        return Directory.Exists(folder) ? Directory.EnumerateDirectories(folder).Select(d => Path.GetFileName(d)).Order(StringComparer.Ordinal) : [];
    }

    private static string Hash(string text) => Convert.ToHexStringLower(Sha256.HashData(Encoding.UTF8.GetBytes(text)))[..HashDigits];
}
