using Dump.Readers.Stores;
using Dump.Readers.Tests.Symbols;
using Dump.Testing.Synthetic;

namespace Dump.Readers.Tests.Stores;

/// <summary>Where a symbol store keeps a file, and what is never looked at.</summary>
public sealed class StoreFilesTests : IDisposable
{
    private const string Key = "5F3A2B1C7000";
    private readonly TemporaryDirectory _directory = new();
    private readonly StoreFiles _files = new();

    public void Dispose()
    {
        _files.Dispose();
        _directory.Dispose();
    }

    [Fact]
    public void Plain_names_are_found_in_any_case()
    {
        string plain = _directory.Write("ntdll.DLL", [0]);
        Assert.Equal([plain], Find("NtDll.dll"));
    }

    [Fact]
    public void Two_tier_places_are_searched_behind_flat_ones_where_the_store_is_marked()
    {
        string deep = _directory.Write($"nt/ntdll.dll/{Key}/ntdll.dll", [0]);
        string flat = _directory.Write($"NtDll.dll/{Key.ToLowerInvariant()}/ntdll.dll", [0]);
        Assert.Equal([flat], Find("ntdll.dll"));
        _directory.Write("index2.txt", [0]);
        using StoreFiles anew = new();
        Assert.Equal([flat, deep], anew.Find(_directory.Path, "ntdll.dll", Key));
    }

    [Fact]
    public void Compressed_files_are_unpacked_once_and_go_away()
    {
        byte[] content = [.. Enumerable.Range(0, 70_000).Select(i => (byte)(i / 300))];
        _directory.Write($"ntdll.dll/{Key}/ntdll.dl_", CabinetFile.MakePacked("ntdll.dll", content));
        string unpacked = Assert.Single(Find("ntdll.dll"));
        Assert.Equal(content, File.ReadAllBytes(unpacked));
        Assert.Equal([unpacked], Find("ntdll.dll"));
        Assert.Empty(_files.Problems);
        _files.Dispose();
        Assert.False(File.Exists(unpacked));
    }

    [Fact]
    public void A_compressed_file_that_cannot_be_unpacked_is_named_once()
    {
        _directory.Write($"ntdll.dll/{Key}/ntdll.dl_", CabinetFile.Make([("ntdll.dll", [1])], null, 0x1503, [([1], 1)]));
        Assert.Empty(Find("ntdll.dll"));
        Assert.Empty(Find("ntdll.dll"));
        Assert.Equal(
            "ntdll.dl_ is not used: it is compressed by LZX, which is unpacked on Windows only; unpack it first: cabextract ntdll.dl_",
            Assert.Single(_files.Problems).Message);
    }

    [Theory]
    [InlineData("../secret.dll")]
    [InlineData("..")]
    [InlineData("")]
    public void Names_that_are_no_plain_names_find_nothing(string name)
    {
        _directory.Write("secret.dll", [0]);
        string sub = Path.GetDirectoryName(_directory.Write("sub/other.dll", [0]))!;
        Assert.Empty(_files.Find(sub, name, Key));
        Assert.Empty(_files.Find(sub, "other.txt", "../sub"));
    }

    private IEnumerable<string> Find(string name) => _files.Find(_directory.Path, name, Key);
}
