using System.Collections.Concurrent;
using System.Xml.Linq;
using Dump.EndToEnd.Tests.Triage;
using Dump.Testing;

namespace Dump.EndToEnd.Tests.Packages;

/// <summary>What <c>dist.sh</c> builds, each package once for all tests.</summary>
internal static class Distribution
{
    private const int UnavailableExitCode = 3;
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(30);
    private static readonly ConcurrentDictionary<string, Lazy<ShellProgram>> s_built = new();

    /// <summary>The version that all packages have.</summary>
    public static string Version { get; } =
        XDocument.Load(Path.Combine(Repository.Root, "Directory.Build.props")).Descendants("Version").Single().Value;

    /// <summary>NuGet's folder of restored packages.</summary>
    public static string RestoredPackages { get; } = Environment.GetEnvironmentVariable("NUGET_PACKAGES") is { Length: > 0 } named
        ? named : Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");

    /// <summary>Builds a package by its name; skips the test where something that it needs cannot be had here.</summary>
    /// <param name="name">Argument of <c>dist.sh</c>.</param>
    /// <param name="environment">Variables that the package needs; the same at each call for it.</param>
    /// <returns>Full paths of the files that it names.</returns>
    public static string[] Build(string name, params (string Name, string Value)[] environment)
    {
        ShellProgram run = s_built.GetOrAdd(name, n => new Lazy<ShellProgram>(() => ShellProgram.RunWithin(
            s_limit, "bash", [Path.Combine(Repository.Root, "dist.sh"), n], environment))).Value;
        Skip.If(run.ExitCode == UnavailableExitCode, run.Errors);
        Assert.True(run.ExitCode == 0, run.Errors + run.Output);
        return [.. run.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(f => Path.Combine(Repository.Root, f))];
    }
}
