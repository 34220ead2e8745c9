using System.Text.Json;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.RepositoryRules;

/// <summary>
/// What a build of the program consists of: its own assemblies, the packages that it uses and the three that the one for the command mcp needs, without
/// what ClrMD names for symbol servers and for running processes.
/// </summary>
public sealed class ProgramFilesTests
{
    private const long LargestStub = 16 << 10;
    private static readonly string[] s_libraries =
    [
        "Azure.Core", "dumpanalyze", "Dump.Analysis", "Dump.Capture", "Dump.Clr", "Dump.Engine", "Dump.Fetching", "Dump.Model", "Dump.Readers", "Dump.Reports", "Dump.Triage",
        "Iced", "Microsoft.Diagnostics.Runtime", "Spectre.Console.Ansi", "System.CommandLine", "System.Security.Cryptography.Pkcs",
        "ZstdSharp.Port", "ModelContextProtocol.Core", "Microsoft.Extensions.AI.Abstractions", "Microsoft.Extensions.DependencyInjection.Abstractions",
        "Microsoft.Extensions.Logging.Abstractions",
    ];

    private static readonly string[] s_databases =
    [
        "Dump.Store", "Microsoft.Data.Sqlite.Core", "Npgsql", "SQLitePCLRaw.bundle_e_sqlite3", "SQLitePCLRaw.config.e_sqlite3", "SQLitePCLRaw.core",
        "SQLitePCLRaw.provider.e_sqlite3", "SourceGear.sqlite3",
    ];

    [Fact]
    public void Build_has_no_package_that_it_does_not_use() => Check(DumpAnalyze.BuildFolder, [.. s_libraries, .. s_databases]);

    [SkippableFact]
    public void Windows_build_has_no_package_that_it_does_not_use()
    {
        Skip.If(ManagedWineLab.Unavailable is not null, ManagedWineLab.Unavailable);
        Check(ManagedWineLab.Program, [.. s_libraries, .. s_databases]);
    }

    private static void Check(string folder, string[] expected)
    {
        string manifest = File.ReadAllText(Path.Combine(folder, "dumpanalyze.deps.json"));
        IEnumerable<string> libraries = JsonDocument.Parse(manifest).RootElement.Member("libraries").EnumerateObject()
            .Select(l => l.Name.Split('/')[0]).Where(n => !n.StartsWith("runtimepack.", StringComparison.Ordinal));

        // A project that ClrMD refers to as well is listed once more under this name.
        Assert.Equal(expected.Append("Azure.Core.Reference").Order(StringComparer.Ordinal), libraries.Order(StringComparer.Ordinal));

        // An assembly that the manifest does not name would still be loaded from the folder.
        // But the one image that all of them are compiled into.
        Assert.All(Directory.EnumerateFiles(folder, "*.dll", SearchOption.AllDirectories).Where(f => !f.EndsWith(".r2r.dll", StringComparison.Ordinal)), f =>
            Assert.Contains($"{Path.GetFileName(f)}\"", manifest, StringComparison.Ordinal));
        Assert.Empty(Directory.EnumerateFiles(folder, "*.xml"));

        // Of Azure.Core there is only the stub.
        Assert.InRange(new FileInfo(Path.Combine(folder, "Azure.Core.dll")).Length, 1, LargestStub);
    }
}
