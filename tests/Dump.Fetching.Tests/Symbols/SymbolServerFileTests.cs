using System.Globalization;
using Dump.Fetching.Downloads;
using Dump.Fetching.Missing;
using Dump.Fetching.Symbols;
using Dump.Readers.Cabinets;
using Dump.Readers.Pe;
using Dump.Readers.Symbols;
using Dump.Readers.Windows;
using Dump.Testing.Network;
using Dump.Testing.Synthetic;

namespace Dump.Fetching.Tests.Symbols;

/// <summary>Files of symbol servers: put into the local store when their own identity is the wanted one, and only then.</summary>
public sealed class SymbolServerFileTests : IDisposable
{
    private const string Name = "library.dll";
    private static readonly byte[] s_image = File.ReadAllBytes(typeof(SymbolServerFileTests).Assembly.Location);
    private static readonly PeFileIdentity s_identity = PeFileIdentity.Read(typeof(SymbolServerFileTests).Assembly.Location)!.Value;
    private static readonly string s_key = string.Create(CultureInfo.InvariantCulture, $"{s_identity.TimeDateStamp:X8}{s_identity.SizeOfImage:x}");
    private readonly DirectoryInfo _store = Directory.CreateTempSubdirectory("dump-store-");
    private readonly LocalServer _server = new();
    private readonly LocalServer _other = new();
    private readonly Downloader _downloader = new(DownloadLimits.Default);

    public void Dispose()
    {
        _downloader.Dispose();
        _server.Dispose();
        _other.Dispose();
        _store.Delete(recursive: true);
    }

    [Fact]
    public async Task Image_goes_into_the_store()
    {
        _server.Give($"{Name}/{s_key}/{Name}", s_image);
        Assert.Equal(Stored(), await FetchAsync());
        Assert.Equal(s_image, File.ReadAllBytes(Stored()));
        Assert.Single(_store.EnumerateFileSystemInfos());
    }

    [Fact]
    public async Task Compressed_image_is_unpacked()
    {
        _server.Give($"{Name}/{s_key}/library.dl_", CabinetFile.MakePacked(Name, s_image));
        Assert.Equal(Stored(), await FetchAsync());
        Assert.Equal(s_image, File.ReadAllBytes(Stored()));
    }

    [Fact]
    public async Task Second_server_is_asked_for_what_the_first_does_not_have()
    {
        _other.Give($"{Name}/{s_key}/{Name}", s_image);
        Assert.Equal(Stored(), await FetchAsync());
        Assert.Equal(2, _server.Requests.Count);
    }

    [Fact]
    public async Task Store_of_two_tiers_stays_one()
    {
        File.WriteAllText(Path.Combine(_store.FullName, "index2.txt"), "");
        _server.Give($"{Name}/{s_key}/{Name}", s_image);
        Assert.Equal(Path.Combine(_store.FullName, "li", Name, s_key, Name), await FetchAsync());
    }

    [Fact]
    public async Task Image_of_another_build_is_not_kept()
    {
        byte[] other = [.. s_image];
        int header = BitConverter.ToInt32(other, 0x3C);
        other[header + 8] ^= 1;
        _server.Give($"{Name}/{s_key}/{Name}", other);
        await RefusedAsync("is not used: it belongs to another build");
    }

    [Fact]
    public async Task What_is_no_image_is_not_kept()
    {
        _server.Give($"{Name}/{s_key}/{Name}", "<html>not found</html>"u8.ToArray());
        await RefusedAsync("is not used: it is no image");
    }

    [Fact]
    public async Task Damaged_cabinet_is_not_kept()
    {
        _server.Give($"{Name}/{s_key}/library.dl_", CabinetFile.MakePacked(Name, s_image)[..500]);
        await RefusedAsync("");
    }

    [Fact]
    public async Task What_nobody_has_is_told() => await RefusedAsync($"image {Name}: {_server.Address} does not have it; {_other.Address} does not have it");

    [Fact]
    public async Task Path_without_a_directory_is_told()
    {
        SymbolServerFile file = new(Wanted, [new SymbolServer(_server.Address, null)], _downloader, new PortableCabinets());
        UnavailableException error = await Assert.ThrowsAsync<UnavailableException>(() => file.FetchAsync(null, default));
        Assert.Contains("write srv*DIR*", error.Message, StringComparison.Ordinal);
        Assert.Empty(_server.Requests);
    }

    private static WantedFile Wanted => WantedFile.Of(Name, s_key, s_identity);

    private string Stored() => Path.Combine(_store.FullName, Name, s_key, Name);

    private Task<string> FetchAsync() => new SymbolServerFile(
        Wanted, [new SymbolServer(_server.Address, _store.FullName), new SymbolServer(_other.Address, _store.FullName)], _downloader, new PortableCabinets())
            .FetchAsync(null, default);

    private async Task RefusedAsync(string reason)
    {
        UnavailableException error = await Assert.ThrowsAsync<UnavailableException>(FetchAsync);
        Assert.Contains(reason, error.Message, StringComparison.Ordinal);
        Assert.Empty(_store.EnumerateFileSystemInfos());
    }
}
