using Dump.Readers.Pe;
using Dump.Readers.Stores;
using Dump.Readers.Symbols;

namespace Dump.Readers.Tests.Symbols;

/// <summary>The grammar of <c>_NT_SYMBOL_PATH</c> and the places that are looked at.</summary>
public sealed class SymbolSearchPathTests : IDisposable
{
    private const string Key = "00112233445566778899AABBCCDDEEFF1A";
    private static readonly PdbIdentity s_identity = new("ntdll.pdb", new Guid("00112233-4455-6677-8899-aabbccddeeff"), 0x1A);
    private readonly TemporaryDirectory _directory = new();
    private readonly StoreFiles _files = new();

    public void Dispose()
    {
        _files.Dispose();
        _directory.Dispose();
    }

    [Theory]
    [InlineData(null, "", "")]
    [InlineData("", "", "")]
    [InlineData(" ;; ; ", "", "")]
    [InlineData("/home/me/symbols", "/home/me/symbols", "")]
    [InlineData(@"C:\symbols;D:\more", @"C:\symbols|D:\more", "")]
    [InlineData(" a ; ;b;a", "a|b", "")]
    [InlineData(@"srv*C:\cache*https://symbols.example/download", @"C:\cache", "https://symbols.example/download")]
    [InlineData("SRV*/up*/down*http://x", "/up|/down", "http://x")]
    [InlineData("srv*https://x", "/default", "https://x")]
    [InlineData("srv**https://x", "/default", "https://x")]
    [InlineData("srv*", "/default", "")]
    [InlineData("cache*/c;srv*https://x", "/c", "https://x")]
    [InlineData("cache*/c;srv*/own*https://x", "/c|/own", "https://x")]
    [InlineData("srv*/only", "/only", "")]
    [InlineData("symsrv*symsrv.dll*/store*http://x", "/store", "http://x")]
    [InlineData("symsrv*symsrv.dll", "", "")]
    [InlineData("cache*/c;d", "/c|d", "")]
    [InlineData("cache*;Cache*/c", "/default|/c", "")]
    [InlineData(@"\\server\share;//server/share;\/server;c", "c", @"\\server\share|//server/share|\/server")]
    [InlineData(@"srv*\\server\share*/c", "/c", @"\\server\share")]
    [InlineData("https://x;file:///c", "", "https://x|file:///c")]
    [InlineData("srv", "srv", "")]
    [InlineData("odd*c;d", "d", "odd*c")]
    public void Elements_are_local_directories_or_skipped(string? path, string directories, string skipped)
    {
        SymbolSearchPath parsed = SymbolSearchPath.Parse(path, "/default");
        Assert.Equal(directories, string.Join('|', parsed.Directories));
        Assert.Equal(skipped, string.Join('|', parsed.Skipped));
    }

    [Theory]
    [InlineData("srv*/up*/down*https://x", "https://x > /up")]
    [InlineData("srv*https://x*https://y;srv*/c*https://x", "https://x > /default, https://y > /default")]
    [InlineData("cache*/c;srv*https://x;srv*/own*HTTP://y", "https://x > /c, HTTP://y > /own")]
    [InlineData(@"srv*\\server\share*https://x", "https://x > /default")]
    [InlineData("srv*ftp://x;file:///c;/dir;https://x", "")]
    public void Servers_have_the_cache_of_their_element(string path, string expected) => Assert.Equal(
        expected, string.Join(", ", SymbolSearchPath.Parse(path, "/default").Servers.Select(s => $"{s.Address} > {s.Cache}")));

    [Fact]
    public void Without_a_default_store_there_is_none()
    {
        SymbolSearchPath parsed = SymbolSearchPath.Parse("srv*https://x;cache*", null);
        Assert.Empty(parsed.Directories);
        Assert.Equal(new SymbolServer("https://x", null), Assert.Single(parsed.Servers));
    }

    [Theory]
    [InlineData("ntdll.pdb")]
    [InlineData("NtDll.PDB")]
    [InlineData($"ntdll.pdb/{Key}/ntdll.pdb")]
    [InlineData("ntdll.pdb/00112233445566778899aabbccddeeff1a/ntdll.pdb")]
    [InlineData($"NTDLL.PDB/{Key}/Ntdll.pdb")]
    public void Names_and_keys_are_found_in_any_case(string place)
    {
        string path = _directory.Write(place, [0]);
        Assert.Equal([path], Candidates(s_identity));
        Assert.Equal([path], Candidates(s_identity with { FileName = "NTDLL.pdb" }), StringComparer.OrdinalIgnoreCase);
    }

    [Theory]
    [InlineData($"ntdll.pdb/{Key}0/ntdll.pdb")]
    [InlineData("ntdll.pdb/ntdll.pdb")]
    [InlineData("sub/ntdll.pdb")]
    public void Other_places_are_not_looked_at(string place)
    {
        _directory.Write(place, [0]);
        Assert.Empty(Candidates(s_identity));
    }

    [Fact]
    public void Directories_come_in_the_order_of_the_path()
    {
        string stored = _directory.Write($"first/ntdll.pdb/{Key}/ntdll.pdb", [0]);
        string plain = _directory.Write("second/ntdll.pdb", [0]);
        Assert.Equal([stored, plain], SymbolSearchPath.Parse($"{_directory.Path}/first;{_directory.Path}/absent;{_directory.Path}/second")
            .Candidates(s_identity, _files));
    }

    [Theory]
    [InlineData(@"D:\build\out\ntdll.pdb")]
    [InlineData("/home/build/ntdll.pdb")]
    [InlineData(@"..\..\ntdll.pdb")]
    public void Only_the_last_component_of_a_name_counts(string name) =>
        Assert.Equal([_directory.Write("ntdll.pdb", [0])], Candidates(s_identity with { FileName = name }));

    [Theory]
    [InlineData("..")]
    [InlineData(".")]
    [InlineData("")]
    [InlineData("sub/..")]
    [InlineData("a\0.pdb")]
    [InlineData("C:secret.pdb")]
    [InlineData("*.pdb")]
    public void Names_that_are_no_plain_file_names_are_never_looked_up(string name)
    {
        _directory.Write("secret.pdb", [0]);
        Assert.Empty(Candidates(s_identity with { FileName = name }));
    }

    [Fact]
    public void Names_do_not_lead_out_of_the_directory()
    {
        _directory.Write("secret.pdb", [0]);
        _directory.Write("sub/other.pdb", [0]);
        SymbolSearchPath path = SymbolSearchPath.Parse(Path.Combine(_directory.Path, "sub"));
        Assert.Empty(path.Candidates(s_identity with { FileName = "../secret.pdb" }, _files));
        Assert.Empty(path.Candidates(s_identity with { FileName = Path.Combine(_directory.Path, "secret.pdb") }, _files));
    }

    private IEnumerable<string> Candidates(PdbIdentity identity) => SymbolSearchPath.Parse(_directory.Path).Candidates(identity, _files);
}
