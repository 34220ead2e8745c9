using System.Security.Cryptography;
using System.Text.Json;
using Dump.EndToEnd.Tests.Triage;
using Dump.Testing;

namespace Dump.EndToEnd.Tests.Packages;

/// <summary>What holds for every package that has the program inside.</summary>
internal static class PackageAssert
{
    /// <summary>The fixture whose answer each package is asked for.</summary>
    public const string Fixture = "loader-exit.dmp";

    /// <summary>The files that a package has besides what its bill names.</summary>
    private static readonly string[] s_besides = ["LICENSE", "THIRD-PARTY-NOTICES.txt"];

    /// <summary>Asserts that a bill names all files of a folder by name and content, and nothing else, and that each package has a licence.</summary>
    public static void IsBill(string text, string folder)
    {
        JsonElement bill = JsonDocument.Parse(text).RootElement;
        Assert.Equal(("CycloneDX", "1.6"), (bill.Member("bomFormat").GetString(), bill.Member("specVersion").GetString()));
        JsonElement own = bill.Member("metadata").Member("component");
        Assert.Equal(("dumpanalyze", Distribution.Version), (own.Member("name").GetString(), own.Member("version").GetString()));
        JsonElement[] parts = [own, .. bill.Member("components").EnumerateArray()];
        Assert.All(parts, p => Assert.Equal(LicenseOf(p.Member("name").GetString()!),
            p.Member("licenses")[0].Member("license").Member("id").GetString()));
        Dictionary<string, string> listed = parts.SelectMany(p => p.Member("components").EnumerateArray())
            .ToDictionary(f => f.Member("name").GetString()!, f => f.Member("hashes")[0].Member("content").GetString()!);
        Dictionary<string, string> shipped = Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories)
            .ToDictionary(f => Path.GetRelativePath(folder, f).Replace('\\', '/'), f => Convert.ToHexStringLower(SHA256.HashData(File.ReadAllBytes(f))));
        Assert.Equal(shipped.Keys.Except(s_besides).Order(StringComparer.Ordinal), listed.Keys.Except(s_besides).Order(StringComparer.Ordinal));
        Assert.All(listed, f => Assert.Equal(shipped[f.Key], f.Value));
    }

    /// <summary>The licence of a part of the program.</summary>
    public static string LicenseOf(string component) => component switch
    {
        "ModelContextProtocol.Core" => "Apache-2.0",
        "SourceGear.sqlite3" => "blessing",
        "Npgsql" => "PostgreSQL",
        _ => component.StartsWith("SQLitePCLRaw.", StringComparison.Ordinal) ? "Apache-2.0" : "MIT",
    };

    /// <summary>Asserts that every library of a folder stands in its notices, that the licences are there, and no symbols and documentation.</summary>
    public static void HasNotices(string folder)
    {
        string notices = File.ReadAllText(Path.Combine(folder, "THIRD-PARTY-NOTICES.txt"));
        Assert.StartsWith("MIT License", File.ReadAllText(Path.Combine(folder, "LICENSE")), StringComparison.Ordinal);
        string[] files = [.. Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories).Select(f => Path.GetFileName(f))];
        string[] foreign = [.. files.Where(f => Path.GetExtension(f) is ".dll" or ".so" or ".exe" && !IsOwn(f))];
        Assert.NotEmpty(foreign);
        Assert.All(foreign, f => Assert.Contains(f, notices, StringComparison.Ordinal));
        Assert.DoesNotContain(files, f => Path.GetExtension(f) is ".pdb" or ".dbg"
            || (Path.GetExtension(f) == ".xml" && files.Contains(Path.ChangeExtension(f, ".dll"))));
    }

    /// <summary>Asserts that a run named the loader-lock deadlock of the fixture.</summary>
    public static void NamesLoaderDeadlock(ShellProgram run)
    {
        Assert.True(run.ExitCode == 11, $"{run.ExitCode}: {run.Output}{run.Errors}");
        Assert.Contains("DUMP1001 Loader-lock deadlock (Likely)", run.Output, StringComparison.Ordinal);
    }

    private static bool IsOwn(string file) => file.StartsWith("dumpanalyze", StringComparison.Ordinal) || file.StartsWith("Dump.", StringComparison.Ordinal);
}
