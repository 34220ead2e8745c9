using System.Runtime.Versioning;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Triage;

/// <summary>
/// The commands of docs/ci.md, as they stand there, on a test project that hangs: from the test runner's dump to a failed test with the verdict.
/// </summary>
[UnsupportedOSPlatform("windows")]
public sealed partial class HangingTestProjectTests : IDisposable
{
    private const string Tests = """
        using System.Collections.Concurrent;
        using Xunit;

        namespace Shop.Tests;

        public sealed class CustomerTests
        {
            [Fact]
            public void Customer_is_shown() => WindowThread.Run(() => Assert.Equal("customer", LoadCustomerAsync().Result));

            private static async Task<string> LoadCustomerAsync()
            {
                await Task.Delay(50);
                return "customer";
            }
        }

        internal sealed class WindowThread : SynchronizationContext
        {
            private readonly BlockingCollection<(SendOrPostCallback Work, object? State)> _posted = [];

            public static void Run(Action action)
            {
                WindowThread thread = new();
                SetSynchronizationContext(thread);
                thread.Post(_ => action(), null);
                foreach ((SendOrPostCallback work, object? state) in thread._posted.GetConsumingEnumerable())
                {
                    work(state);
                }
            }

            public override void Post(SendOrPostCallback work, object? state) => _posted.Add((work, state));
        }
        """;

    private readonly string _folder = Directory.CreateTempSubdirectory("dump-hanging-tests-").FullName;

    [SkippableFact]
    [Trait("Category", "Slow")]
    public void Hanging_test_becomes_a_verdict()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        WriteProject();
        string[] recipe = [.. ShellBlocks().Matches(File.ReadAllText(Path.Combine(Repository.Root, "docs", "ci.md"))).Select(m => m.Groups[1].Value)];
        Assert.Equal(2, recipe.Length);
        Assert.Contains("--blame-hang-timeout 5m", recipe[0], StringComparison.Ordinal);

        ShellProgram tests = Hang(recipe[0], "5s");
        if (!NamesTest(tests))
        {
            // A busy machine took longer than that to begin with the test.
            Directory.Delete(Path.Combine(_folder, "TestResults"), recursive: true);
            tests = Hang(recipe[0], "40s");
        }

        Assert.True(tests.ExitCode == 1 && tests.Output.Contains("hangdump.dmp", StringComparison.Ordinal) && NamesTest(tests), tests.Output + tests.Errors);
        ShellProgram verdict = Bash(recipe[1]);
        Assert.True(verdict.ExitCode == 11, $"{verdict.ExitCode}: {verdict.Output} {verdict.Errors}");
        Assert.Contains("DUMP1006", verdict.Output, StringComparison.Ordinal);
        XElement failure = Assert.Single(XDocument.Load(Path.Combine(_folder, "triage", "hangs.xml")).Descendants("failure"));
        Assert.Contains("DUMP1006", failure.ToString(), StringComparison.Ordinal);
        Assert.Contains("Shop.Tests.CustomerTests.LoadCustomerAsync", failure.ToString(), StringComparison.Ordinal);
        Assert.Contains("DUMP1006", File.ReadAllText(Path.Combine(_folder, "triage", "hangs.sarif")), StringComparison.Ordinal);
        Assert.Contains("DUMP1006", File.ReadAllText(Path.Combine(_folder, "triage", "report.html")), StringComparison.Ordinal);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static bool NamesTest(ShellProgram run) => (run.Output + run.Errors)
        .Contains("Shop.Tests.CustomerTests.Customer_is_shown", StringComparison.Ordinal);

    private ShellProgram Hang(string line, string timeout) => Bash(line.Replace("--blame-hang-timeout 5m", $"--blame-hang-timeout {timeout}",
        StringComparison.Ordinal));

    /// <summary>Runs lines of a pipeline as its bash does: the first error ends them.</summary>
    private ShellProgram Bash(string lines) => ShellProgram.Run(
        "bash", ["-e", "-c", $"cd '{_folder}'; dumpanalyze() {{ \"$DUMPANALYZE\" \"$@\"; }}\n{lines}"],
        [.. ShellProgram.Environment, ("MSBUILDDISABLENODEREUSE", "1"), ("DOTNET_CLI_TELEMETRY_OPTOUT", "1"), ("DOTNET_NOLOGO", "1")]);

    private void WriteProject()
    {
        IEnumerable<string> packages = XDocument.Load(Path.Combine(Repository.Root, "Directory.Packages.props")).Descendants("PackageVersion")
            .Where(p => p.Attribute("Include")!.Value is "Microsoft.NET.Test.Sdk" or "xunit" or "xunit.runner.visualstudio")
            .Select(p => $"<PackageReference Include=\"{p.Attribute("Include")!.Value}\" Version=\"{p.Attribute("Version")!.Value}\" />");
        File.WriteAllText(Path.Combine(_folder, "CustomerTests.cs"), Tests);
        File.WriteAllText(Path.Combine(_folder, "Shop.Tests.csproj"), $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <TargetFramework>net10.0</TargetFramework>
                <Nullable>enable</Nullable>
                <ImplicitUsings>enable</ImplicitUsings>
              </PropertyGroup>
              <ItemGroup>{string.Concat(packages)}</ItemGroup>
            </Project>
            """);
    }

    [GeneratedRegex("^```sh\n(.*?)^```", RegexOptions.Multiline | RegexOptions.Singleline)]
    private static partial Regex ShellBlocks();
}
