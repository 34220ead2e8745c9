using System.Buffers.Binary;
using System.Runtime.Versioning;
using System.Text.RegularExpressions;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Readers.Pe;
using Dump.Testing.Lab;
using Dump.Testing.Network;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>
/// A dump of a Windows process whose runtime is not here, no package of it in the feed, and a symbol server on this machine with the runtime's data-access
/// library, or with something in its place: only the library that Microsoft signed, of the very build, becomes code that runs, here under Wine.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed partial class FetchedWindowsRuntimeTests : IDisposable
{
    private const string Version = "8.0.30";
    private const string Library = "mscordaccore.dll";
    private const string Runtime = "coreclr.dll";
    private readonly ManagedWineLab _lab = new();
    private readonly LocalServer _server = new();
    private readonly string _folder = Directory.CreateTempSubdirectory("dump-windows-runtime-").FullName;

    public FetchedWindowsRuntimeTests()
    {
        Directory.CreateDirectory(Feed);
        Directory.CreateDirectory(Store);
    }

    public void Dispose()
    {
        _server.Dispose();
        _lab.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [SkippableFact]
    public void Dump_gets_its_verdict_by_the_library_of_the_symbol_server()
    {
        string dump = Dump();
        DumpAnalyze before = Run(dump);
        Assert.Equal(13, before.ExitCode);
        Assert.Contains(".NET 8.0.30", before.Output, StringComparison.Ordinal);
        Assert.Empty(_server.Requests);

        // The list names the address under which Microsoft's server has it, and asks nobody.
        DumpAnalyze listed = Run("fetch", dump, "--feed", Feed);
        Assert.Equal(13, listed.ExitCode);
        string address = AddressOf(listed.Output);
        PeFileIdentity runtime = PeFileIdentity.Read(FileOf(Version, Runtime))!.Value;
        const string Name = @"mscordaccore_amd64_amd64_8\.0\.\d+\.\d+\.dll";
        Assert.Matches($"^{Name}/{runtime.TimeDateStamp:X8}{runtime.SizeOfImage:x}/{Name}$", address);
        Assert.Empty(_server.Requests);

        _server.Give(address, File.ReadAllBytes(FileOf(Version, Library)));
        DumpAnalyze fetched = Run(dump, "--fetch", "--yes", "--feed", Feed);
        Assert.Equal(10, fetched.ExitCode);
        Assert.Contains("DUMP1002 Lock-cycle deadlock (Confirmed)", fetched.Output, StringComparison.Ordinal);
        Assert.Contains($"asked: GET {_server.Address}{address}\n", fetched.Error, StringComparison.Ordinal);
        Assert.Contains($"fetched: {Path.Combine(Cache, "dumpanalyze", "runtimes", "dac-")}", fetched.Error, StringComparison.Ordinal);

        // From then on nobody is asked.
        int asked = _server.Requests.Count;
        Assert.Equal(10, Run(dump).ExitCode);
        Assert.DoesNotContain(Library, Run("fetch", dump, "--feed", Feed).Output, StringComparison.Ordinal);
        Assert.Equal(asked, _server.Requests.Count);
    }

    /// <summary>What a server may have in the place of the library, and why it does not count.</summary>
    public static TheoryData<string, string> Others => new()
    {
        { "other build", "is not used: it belongs to another build" },
        { "other signer", "is not used: it is signed by .NET, and only Microsoft Corporation's data-access libraries count here" },
        { "unsigned", "is not used: it is not signed" },
        { "changed", "is not used: its content is not what was signed" },
        { "cut off", "the answer of 127.0.0.1 broke off" },
        { "nothing", "does not have it" },
    };

    [SkippableTheory]
    [MemberData(nameof(Others))]
    public void Anything_else_in_its_place_is_one_line_and_nothing_is_loaded(string what, string reason)
    {
        string dump = Dump();
        if (what != "nothing")
        {
            _server.Give(AddressOf(Run("fetch", dump, "--feed", Feed).Output), InPlace(what));
        }

        DumpAnalyze run = Run(dump, "--fetch", "--yes", "--feed", Feed);
        Assert.Equal(13, run.ExitCode);
        string line = Assert.Single(run.Error.Split('\n'), l => l.StartsWith("dumpanalyze: data-access library of ", StringComparison.Ordinal));
        Assert.Contains(reason, line, StringComparison.Ordinal);
        Assert.DoesNotContain("DUMP1002", run.Output, StringComparison.Ordinal);
        Assert.Empty(Directory.EnumerateFiles(Path.Combine(Cache, "dumpanalyze"), "*", SearchOption.AllDirectories));
    }

    private string Feed => Path.Combine(_folder, "feed");

    private string Cache => Path.Combine(_folder, "cache");

    private string Store => Path.Combine(_folder, "store");

    private static LocalAnswer InPlace(string what)
    {
        byte[] library = File.ReadAllBytes(FileOf(Version, Library));
        switch (what)
        {
            case "other build":
                library = File.ReadAllBytes(FileOf("10.0.12", Library));
                break;
            case "other signer":
                library = File.ReadAllBytes(FileOf(Version, Runtime));
                break;
            case "changed":
                library[library.Length / 2] ^= 1;
                break;
            case "unsigned":
                // The entry of the certificate table in an image of 64 bits (Microsoft, "PE Format").
                int entry = BinaryPrimitives.ReadInt32LittleEndian(library.AsSpan(0x3C)) + 24 + 112 + 4 * 8;
                int table = BinaryPrimitives.ReadInt32LittleEndian(library.AsSpan(entry));
                library.AsSpan(entry, 8).Clear();
                library = library[..table];
                break;
        }

        return new LocalAnswer { Content = library, Sent = what == "cut off" ? library.Length / 2 : null };
    }

    private string AddressOf(string list)
    {
        Match match = LibraryLine().Match(list);
        Assert.True(match.Success, list);
        Assert.StartsWith(_server.Address, match.Groups[1].Value, StringComparison.Ordinal);
        return match.Groups[1].Value[_server.Address.Length..];
    }

    private string Dump()
    {
        Skip.If(ManagedWineLab.Unavailable is not null, ManagedWineLab.Unavailable);
        string? unavailable = ManagedWineLab.Runtime(Version).Unavailable ?? ManagedWineLab.Runtime("10.0.12").Unavailable;
        Skip.If(unavailable is not null, unavailable);
        return _lab.Dump(Version, "monitor-cycle2").Path;
    }

    private static string FileOf(string version, string name) => Path.Combine(ManagedWineLab.Runtime(version).Directory!, name);

    private DumpAnalyze Run(params string[] arguments) => DumpAnalyze.RunIn(
        [("XDG_CACHE_HOME", Cache), ("WINEPREFIX", WineLab.Prefix)],
        [.. arguments, "--wine", ManagedWineLab.Program, "--symbols", $"srv*{Store}*{_server.Address}"]);

    [GeneratedRegex(@"^data-access library of \.NET 8\.0\.30 \(coreclr\.dll [\d.]+\): mscordaccore_\w+_[\d.]+\.dll, size unknown\n  (\S+)$",
        RegexOptions.Multiline)]
    private static partial Regex LibraryLine();
}
