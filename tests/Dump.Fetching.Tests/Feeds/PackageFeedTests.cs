using System.Text;
using Dump.Fetching.Downloads;
using Dump.Fetching.Feeds;
using Dump.Testing.Network;

namespace Dump.Fetching.Tests.Feeds;

/// <summary>Packages of feeds and directories.</summary>
public sealed class PackageFeedTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("dump-feeds-");
    private readonly LocalServer _server = new();
    private readonly Downloader _downloader = new(DownloadLimits.Default);

    public void Dispose()
    {
        _downloader.Dispose();
        _server.Dispose();
        _folder.Delete(recursive: true);
    }

    [Fact]
    public async Task Feed_is_asked_by_its_index()
    {
        _server.Give("index.json", Index($"{_server.Address}content")).Give("content/some.id/1.2.3-rc.1/some.id.1.2.3-rc.1.nupkg", [1, 2, 3]);
        PackageFeed feed = new(new PackageSource("company", $"{_server.Address}index.json"), _downloader);
        LocatedPackage? package = await feed.FindAsync("Some.Id", "1.2.3-RC.1", default);
        Assert.Equal(3, package!.Bytes);
        Assert.Null(await feed.FindAsync("Some.Id", "1.2.4", default));
        Assert.Single(_server.Requests, r => r.Contains("index.json", StringComparison.Ordinal));
        await feed.SaveAsync(package, Path.Combine(_folder.FullName, "package"), null, default);
        Assert.Equal([1, 2, 3], File.ReadAllBytes(Path.Combine(_folder.FullName, "package")));
    }

    [Theory]
    [InlineData("no json")]
    [InlineData("{}")]
    [InlineData("[]")]
    [InlineData("""{"resources":[{"@id":"http://elsewhere.example/","@type":"PackageBaseAddress/3.0.0"}]}""")]
    [InlineData("""{"resources":[{"@id":"https://feed.example/","@type":"SearchQueryService"}]}""")]
    public async Task What_is_no_index_is_told(string content)
    {
        _server.Give("index.json", Encoding.UTF8.GetBytes(content));
        PackageFeed feed = new(new PackageSource("company", $"{_server.Address}index.json"), _downloader);
        Assert.Contains("is no index of a NuGet feed (version 3)",
            (await Assert.ThrowsAsync<DownloadException>(() => feed.FindAsync("id", "1.0.0", default))).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("some.id.1.0.0.nupkg")]
    [InlineData("some.id/1.0.0/some.id.1.0.0.nupkg")]
    public async Task Directory_has_packages_by_name(string place)
    {
        string file = Path.Combine(_folder.FullName, place);
        Directory.CreateDirectory(Path.GetDirectoryName(file)!);
        File.WriteAllBytes(file, [1, 2]);
        PackageFeed feed = new(new PackageSource("local", _folder.FullName), _downloader);
        Assert.Equal(2, (await feed.FindAsync("Some.Id", "1.0.0", default))!.Bytes);
        Assert.Null(await feed.FindAsync("Some.Id", "2.0.0", default));
        Assert.Empty(_server.Requests);
    }

    private static byte[] Index(string content) =>
        Encoding.UTF8.GetBytes("""{"version":"3.0.0","resources":[{"@id":"ADDRESS","@type":"PackageBaseAddress/3.0.0"}]}"""
            .Replace("ADDRESS", content, StringComparison.Ordinal));
}
