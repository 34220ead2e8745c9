using System.Runtime.Versioning;
using System.Text;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing.Lab;
using Dump.Testing.Network;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>
/// Cores of a runtime that is not here, and a feed on this machine with its package, or with something in its place: only the package that Microsoft signed, of
/// the very build, becomes code that is loaded.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class FetchedRuntimeTests : IDisposable
{
    private const string Id = "microsoft.netcore.app.runtime.linux-x64";
    private const string Version = "8.0.0";
    private readonly LinuxLab _lab = new();
    private readonly LocalServer _server = new();
    private readonly string _cache = Directory.CreateTempSubdirectory("dump-cache-").FullName;

    public FetchedRuntimeTests() => _server.Give("index.json", Encoding.UTF8.GetBytes(
        """{"version":"3.0.0","resources":[{"@id":"ADDRESS","@type":"PackageBaseAddress/3.0.0"}]}"""
            .Replace("ADDRESS", _server.Address, StringComparison.Ordinal)));

    public void Dispose()
    {
        _server.Dispose();
        _lab.Dispose();
        Directory.Delete(_cache, recursive: true);
    }

    [SkippableFact]
    public void Core_gets_its_verdict_by_the_package_of_the_feed()
    {
        LabDump dump = Core();
        Give(Package(Id, Version));
        DumpAnalyze before = Run(dump.Path);
        Assert.Equal(13, before.ExitCode);
        Assert.Contains("dumpanalyze fetch FILE", before.Output, StringComparison.Ordinal);
        Assert.Empty(_server.Requests);

        DumpAnalyze listed = Run("fetch", dump.Path, "--feed", Feed);
        Assert.Equal(13, listed.ExitCode);
        Assert.Contains($"{new FileInfo(Package(Id, Version)).Length:N0} bytes\n  {_server.Address}{Path}\n", listed.Output, StringComparison.Ordinal);
        Assert.Contains("nothing was downloaded; to download it, add --yes", listed.Error, StringComparison.Ordinal);
        Assert.Equal(["GET /index.json", $"HEAD /{Path}"], Lines());

        DumpAnalyze fetched = Run(dump.Path, "--fetch", "--yes", "--feed", Feed);
        Assert.Equal(10, fetched.ExitCode);
        Assert.Contains("DUMP1002 Lock-cycle deadlock (Confirmed)", fetched.Output, StringComparison.Ordinal);
        Assert.Contains($"asked: GET {_server.Address}{Path}\n", fetched.Error, StringComparison.Ordinal);

        // From then on nobody is asked.
        int asked = _server.Requests.Count;
        Assert.Equal(10, Run(dump.Path).ExitCode);
        Assert.Equal(0, Run("fetch", dump.Path, "--feed", Feed).ExitCode);
        Assert.Equal(asked, _server.Requests.Count);
        AssertPrivateAndChecked(dump.Path);
    }

    [SkippableFact]
    public void Package_with_another_build_is_not_used()
    {
        LabDump dump = Core();
        Give(Package(Id, "9.0.18"));
        Refused(dump.Path, "its runtime is not that of the dump");
    }

    [SkippableFact]
    public void Package_of_another_author_is_not_used()
    {
        LabDump dump = Core();
        Give(Package("xunit", null));
        Refused(dump.Path, "is not used: it is signed by xUnit.net (.NET Foundation), and only packages of Microsoft Corporation count here");
    }

    [SkippableFact]
    public void Package_that_was_changed_is_not_used()
    {
        LabDump dump = Core();
        byte[] bytes = File.ReadAllBytes(Package(Id, Version));
        bytes[bytes.Length / 2] ^= 1;
        _server.Give(Path, bytes);
        Refused(dump.Path, "is not used: its content is not what Microsoft Corporation signed");
    }

    [SkippableFact]
    public void Feed_without_the_package_and_feed_that_is_not_there_are_told()
    {
        LabDump dump = Core();
        Refused(dump.Path, $"has no package Microsoft.NETCore.App.Runtime.linux-x64 {Version}");
        _server.Dispose();
        Refused(dump.Path, "127.0.0.1 cannot be asked (");
    }

    public static TheoryData<string[], string> WrongUses => new()
    {
        { ["--yes"], "dumpanalyze: --yes belongs to --fetch; add --fetch" },
        { ["--feed", "https://feed.example/index.json"], "dumpanalyze: --feed belongs to --fetch; add --fetch" },
        { ["--fetch"], "dumpanalyze: --fetch asks before it downloads, and this is not a terminal; add --yes" },
        {
            ["--fetch", "--yes", "--feed", "http://feed.example/index.json"],
            "dumpanalyze: --feed http://feed.example/index.json: its address is plain http, which anybody on the way can change; give an https address"
        },
    };

    [Theory]
    [MemberData(nameof(WrongUses))]
    public void Wrong_use_says_what_to_type(string[] arguments, string line)
    {
        DumpAnalyze run = DumpAnalyze.RunInShell($"$0 \"$1\" {string.Join(' ', arguments)} < /dev/null", Fixture());
        Assert.Equal((2, line), (run.ExitCode, run.Error.TrimEnd()));
    }

    private static string Fixture() => System.IO.Path.Combine(Testing.Repository.Root, "dumps-fixtures", "loader-exit.dmp");

    private string Feed => _server.Address + "index.json";

    private static string Path => $"{Id}/{Version}/{Id}.{Version}.nupkg";

    private IEnumerable<string> Lines() => _server.Requests.Select(r => r[..r.IndexOf(" HTTP", StringComparison.Ordinal)]);

    private LabDump Core() => RuntimeCores.Make(_lab, Version, "monitor-cycle2");

    private void Give(string package) => _server.Give(Path, File.ReadAllBytes(package));

    private static string Package(string id, string? version)
    {
        string? package = RestoredPackage.Find(id, version);
        Skip.If(package is null, $"NuGet package {id} {version} is not restored");
        return package;
    }

    private DumpAnalyze Run(params string[] arguments) => DumpAnalyze.RunIn([("XDG_CACHE_HOME", _cache)], arguments);

    private void Refused(string dump, string reason)
    {
        DumpAnalyze run = Run(dump, "--fetch", "--yes", "--feed", Feed);
        Assert.Equal(13, run.ExitCode);
        Assert.Contains(reason, run.Error, StringComparison.Ordinal);
        Assert.Empty(Directory.EnumerateFiles(_cache, "*", SearchOption.AllDirectories));
    }

    /// <summary>A library that has changed since, or to whose directory others may write, is not loaded.</summary>
    private void AssertPrivateAndChecked(string dump)
    {
        string directory = Directory.EnumerateDirectories(System.IO.Path.Combine(_cache, "dumpanalyze", "runtimes")).Single();
        UnixFileMode mode = File.GetUnixFileMode(directory);
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute, mode);
        File.SetUnixFileMode(directory, mode | UnixFileMode.OtherWrite);
        Assert.Equal(13, Run(dump).ExitCode);
        File.SetUnixFileMode(directory, mode);
        Assert.Equal(10, Run(dump).ExitCode);
        string library = System.IO.Path.Combine(directory, "libmscordbi.so");
        byte[] bytes = File.ReadAllBytes(library);
        bytes[^1] ^= 1;
        File.WriteAllBytes(library, bytes);
        Assert.Equal(13, Run(dump).ExitCode);
    }
}
