using Dump.Fetching.DebugFiles;
using Dump.Fetching.Downloads;
using Dump.Fetching.Missing;
using Dump.Readers.Elf;
using Dump.Readers.Wanted;
using Dump.Testing.Network;
using Dump.Testing.Synthetic;

namespace Dump.Fetching.Tests.DebugFiles;

/// <summary>Files of debuginfod servers: put into the shared cache when the build id in them is the wanted one, and only then.</summary>
public sealed class DebuginfodFileTests : IDisposable
{
    private const string Id = "abcdef0123";
    private static readonly byte[] s_file = FakeElf.DebugFile([0xAB, 0xCD, 0xEF, 0x01, 0x23], ("wait_for_order", 0x120, 0x20));
    private readonly DirectoryInfo _cache = Directory.CreateTempSubdirectory("dump-debuginfod-");
    private readonly LocalServer _server = new();
    private readonly LocalServer _other = new();

    public void Dispose()
    {
        _server.Dispose();
        _other.Dispose();
        _cache.Delete(recursive: true);
    }

    [Theory]
    [InlineData(false, "debuginfo")]
    [InlineData(true, "executable")]
    public async Task File_goes_into_the_cache(bool isImage, string kind)
    {
        _server.Give($"buildid/{Id}/{kind}", s_file);
        string place = Path.Combine(_cache.FullName, Id, kind);
        Assert.Equal(place, await FetchAsync(isImage));
        Assert.Equal(s_file, File.ReadAllBytes(place));
        Assert.Single(_cache.EnumerateFileSystemInfos());
        Assert.Single(Directory.EnumerateFileSystemEntries(Path.Combine(_cache.FullName, Id)));
        Assert.StartsWith($"GET /buildid/{Id}/{kind} ", _server.Requests.Single(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Second_server_is_asked_for_what_the_first_does_not_have()
    {
        _other.Give($"buildid/{Id}/debuginfo", s_file);
        Assert.NotNull(await FetchAsync());
        Assert.Single(_server.Requests);
    }

    [Fact]
    public async Task What_nobody_has_is_told() => await RefusedAsync(
        $"debug file of libshop.so, build id {Id}: {_server.Address} does not have it; {_other.Address} does not have it");

    [Fact]
    public async Task File_of_another_build_is_not_kept()
    {
        Give(FakeElf.DebugFile([0xAB, 0xCD, 0xEF, 0x01, 0x24]));
        await RefusedAsync($"what {_server.Address} has is not used: it belongs to another build");
    }

    [Fact]
    public async Task What_is_no_such_file_is_not_kept()
    {
        Give("<html>not found</html>"u8.ToArray());
        await RefusedAsync("is not used: it has no build id");
        Give([]);
        await RefusedAsync("is not used: it cannot be read");
        Give(s_file[..^1]);
        await RefusedAsync("is not used: it is not whole");
    }

    [Fact]
    public async Task File_that_is_too_large_is_not_kept()
    {
        Give(s_file);
        await RefusedAsync("sends more than the 100 bytes that are allowed", new DownloadLimits { DebugFile = 100 });
    }

    [Fact]
    public async Task Answer_that_breaks_off_is_not_kept()
    {
        _server.Give($"buildid/{Id}/debuginfo", new LocalAnswer { Content = s_file, Sent = 50 });
        await RefusedAsync("the answer of 127.0.0.1 broke off");
    }

    [Fact]
    public async Task Slow_server_is_left()
    {
        _server.Give($"buildid/{Id}/debuginfo", new LocalAnswer { Content = s_file, Sent = 50, Stalls = true });
        await RefusedAsync("127.0.0.1 sent nothing for 0.2 s", new DownloadLimits { Silence = TimeSpan.FromSeconds(0.2) });
    }

    [Fact]
    public async Task Way_to_plain_http_is_not_followed()
    {
        _server.Give($"buildid/{Id}/debuginfo", new LocalAnswer { Status = 302, Location = "http://debug.example/file" });
        await RefusedAsync("sends to http://debug.example/file, which is not https, and is not followed");
    }

    [Fact]
    public async Task Server_that_is_not_there_is_told()
    {
        _server.Dispose();
        await RefusedAsync("127.0.0.1 cannot be asked (");
    }

    [Fact]
    public async Task Without_a_cache_nobody_is_asked()
    {
        using Downloader downloader = new(DownloadLimits.Default);
        DebuginfodFile file = new(Wanted(false), [new Uri(_server.Address)], new DebugFileStore("/nowhere", null), downloader);
        Assert.Contains("set DEBUGINFOD_CACHE_PATH", (await Assert.ThrowsAsync<UnavailableException>(() => file.FetchAsync(null, default))).Message,
            StringComparison.Ordinal);
        Assert.Empty(_server.Requests);
    }

    [Fact]
    public void Addresses_stand_between_spaces_among_words_on_signatures() => Assert.Equal(
        ["https://debug.example/", "https://other.example/here"],
        DebuginfodServers.Parse(" ima:enforcing https://debug.example/  nonsense\thttps://other.example/here https://debug.example/").Select(a => $"{a}"));

    [Theory]
    [InlineData("https://debug.example", null)]
    [InlineData("http://127.0.0.1:8002", null)]
    [InlineData("http://debug.example", "its address is plain http, which anybody on the way can change; give an https address")]
    [InlineData("debug.example", "give the https address of the server")]
    [InlineData("/usr/lib/debug", "give the https address of the server")]
    public void Address_that_is_of_no_use_says_what_to_give(string address, string? problem) => Assert.Equal(problem, DebuginfodServers.Problem(address));

    private static WantedDebugFile Wanted(bool isImage) => new("libshop.so", Id, isImage);

    private void Give(byte[] content) => _server.Give($"buildid/{Id}/debuginfo", content);

    private async Task<string> FetchAsync(bool isImage = false, DownloadLimits? limits = null)
    {
        using Downloader downloader = new(limits ?? DownloadLimits.Default);
        return await new DebuginfodFile(
            Wanted(isImage), [new Uri(_server.Address), new Uri(_other.Address)], new DebugFileStore("/nowhere", _cache.FullName), downloader)
                .FetchAsync(null, default);
    }

    private async Task RefusedAsync(string reason, DownloadLimits? limits = null)
    {
        UnavailableException error = await Assert.ThrowsAsync<UnavailableException>(() => FetchAsync(limits: limits));
        Assert.Contains(reason, error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', error.Message);
        Assert.Empty(_cache.EnumerateFileSystemInfos());
    }
}
