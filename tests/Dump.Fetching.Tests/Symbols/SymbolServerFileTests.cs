using System.Collections.Immutable;
using System.Globalization;
using Dump.Fetching.Downloads;
using Dump.Fetching.Missing;
using Dump.Readers.Cabinets;
using Dump.Readers.Pe;
using Dump.Readers.Symbols;
using Dump.Readers.Symbols.Portable;
using Dump.Readers.Wanted;
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
    private static readonly byte[] s_pdbBytes = File.ReadAllBytes(Path.ChangeExtension(typeof(SymbolServerFileTests).Assembly.Location, ".pdb"));
    private static readonly (PortablePdbIdentity Pdb, ImmutableArray<PdbChecksum> Checksums) s_named = Named();
    private static readonly PortablePdbIdentity s_pdb = s_named.Pdb;
    private static readonly ImmutableArray<PdbChecksum> s_checksums = s_named.Checksums;
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

    [Fact]
    public async Task Portable_PDB_goes_into_the_store_by_its_id()
    {
        Give(s_pdbBytes);
        string place = await FetchAsync(Pdb);
        Assert.Equal(Path.Combine(_store.FullName, s_pdb.FileName, $"{s_pdb.Guid:N}".ToUpperInvariant() + "FFFFFFFF", s_pdb.FileName), place);
        Assert.Equal(s_pdbBytes, File.ReadAllBytes(place));
        Assert.Single(_store.EnumerateFileSystemInfos());
    }

    [Fact]
    public async Task Portable_PDB_of_another_build_is_not_kept()
    {
        Give(s_pdbBytes);
        WantedFile other = WantedFile.Of(s_pdb with { Stamp = s_pdb.Stamp ^ 1 }, s_checksums);
        await RefusedAsync("is not used: it belongs to another build", other);
    }

    /// <summary>The id is the right one, a line of the source file's name is not.</summary>
    [Fact]
    public async Task Portable_PDB_with_another_checksum_is_not_kept()
    {
        byte[] changed = [.. s_pdbBytes];
        changed[changed.AsSpan().IndexOf("SymbolServerFileTests.cs"u8)] ^= 1;
        Give(changed);
        Assert.NotEmpty(s_checksums);
        await RefusedAsync("is not used: its content has another checksum than the module names", Pdb);
        Assert.NotNull(await FetchAsync(WantedFile.Of(s_pdb, [])));
    }

    [Fact]
    public async Task Portable_PDB_with_a_checksum_that_cannot_be_checked_is_not_kept()
    {
        Give(s_pdbBytes);
        PdbChecksum other = new("SHA-7\u001b", [1, 2, 3]);
        await RefusedAsync("is not used: its checksum is of a kind that is not known here (SHA-7", WantedFile.Of(s_pdb, [other]));
        Assert.NotNull(await FetchAsync(WantedFile.Of(s_pdb, [other, .. s_checksums])));
    }

    [Fact]
    public async Task Portable_PDB_that_breaks_off_or_is_none_is_not_kept()
    {
        Give(s_pdbBytes[..^1000]);
        await RefusedAsync("is not used: ", Pdb);
        Give("<html>not found</html>"u8.ToArray());
        await RefusedAsync("is not used: it is damaged", Pdb);
    }

    [Fact]
    public async Task Larger_files_than_are_read_are_not_kept()
    {
        using Downloader small = new(new DownloadLimits { File = s_pdbBytes.Length - 1 });
        Give(s_pdbBytes);
        await RefusedAsync("sends more than the", Pdb, small);
        Assert.Equal(128 << 20, Pdb.MostBytes);
    }

    [Fact]
    public async Task Slow_server_and_one_that_leads_to_plain_http_leave_nothing()
    {
        using Downloader hasty = new(new DownloadLimits { Silence = TimeSpan.FromSeconds(0.2) });
        _server.Give(PdbPath, new LocalAnswer { Content = s_pdbBytes, Sent = 1000, Stalls = true });
        await RefusedAsync("127.0.0.1 sent nothing for 0.2 s", Pdb, hasty);
        _server.Give(PdbPath, new LocalAnswer { Status = 302, Location = "http://symbols.example/file" });
        await RefusedAsync("which is not https, and is not followed", Pdb);
        _server.Dispose();
        _other.Dispose();
        await RefusedAsync("127.0.0.1 cannot be asked (", Pdb);
    }

    private static (PortablePdbIdentity Pdb, ImmutableArray<PdbChecksum> Checksums) Named()
    {
        using ManagedImage image = ManagedImage.OfFile(typeof(SymbolServerFileTests).Assembly.Location)!;
        return (image.Pdb!, image.Checksums);
    }

    private static string PdbPath => $"{s_pdb.FileName}/{s_pdb.InStores.StoreKey}/{s_pdb.FileName}";

    private static WantedFile Pdb => WantedFile.Of(s_pdb, s_checksums);

    private void Give(byte[] pdb) => _server.Give(PdbPath, pdb);

    private static WantedFile Wanted => WantedFile.Of(Name, s_key, s_identity);

    private string Stored() => Path.Combine(_store.FullName, Name, s_key, Name);

    private Task<string> FetchAsync(WantedFile? file = null, Downloader? downloader = null) => new SymbolServerFile(
        file ?? Wanted, [new SymbolServer(_server.Address, _store.FullName), new SymbolServer(_other.Address, _store.FullName)], downloader ?? _downloader,
        new PortableCabinets()).FetchAsync(null, default);

    private async Task RefusedAsync(string reason, WantedFile? file = null, Downloader? downloader = null)
    {
        UnavailableException error = await Assert.ThrowsAsync<UnavailableException>(() => FetchAsync(file, downloader));
        Assert.Contains(reason, error.Message, StringComparison.Ordinal);
        Assert.Empty(_store.EnumerateFileSystemInfos());
    }
}
