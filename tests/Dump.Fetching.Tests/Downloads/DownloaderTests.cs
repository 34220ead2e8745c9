using System.Net;
using System.Net.Sockets;
using Dump.Fetching.Downloads;
using Dump.Testing.Network;

namespace Dump.Fetching.Tests.Downloads;

/// <summary>Servers that answer well and badly: one clear line for each, and nothing half-written.</summary>
public sealed class DownloaderTests : IDisposable
{
    private static readonly byte[] s_content = [.. Enumerable.Range(0, 200_000).Select(i => (byte)i)];
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("dump-downloads-");
    private readonly LocalServer _server = new();

    public void Dispose()
    {
        _server.Dispose();
        _folder.Delete(recursive: true);
    }

    [Fact]
    public async Task File_comes_whole_and_nothing_more_is_sent_than_the_address()
    {
        _server.Give("file", s_content);
        Assert.True(await SaveAsync("file"));
        Assert.Equal(s_content, File.ReadAllBytes(Target));
        string[] header = _server.Requests.Single().TrimEnd().Split("\r\n");
        Assert.Equal("GET /file HTTP/1.1", header[0]);
        Assert.Equal(["Host", "User-Agent"], header[1..].Select(h => h.Split(':')[0]).Order());
        Assert.Contains("User-Agent: dumpanalyze", header);
    }

    [Fact]
    public async Task What_a_server_does_not_have_is_no_error()
    {
        Assert.False(await SaveAsync("file"));
        AssertNothing();
    }

    [Fact]
    public async Task Size_is_asked_without_the_file()
    {
        _server.Give("file", s_content);
        using Downloader downloader = new(DownloadLimits.Default);
        Assert.Equal((true, s_content.Length), await downloader.SizeAsync(new Uri(_server.Address + "file"), default));
        Assert.Equal((false, null), await downloader.SizeAsync(new Uri(_server.Address + "other"), default));
        Assert.StartsWith("HEAD /file ", _server.Requests.First(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(405)]
    [InlineData(501)]
    public async Task Server_that_tells_no_sizes_may_have_it(int status)
    {
        _server.Give("file", new LocalAnswer { Status = status });
        using Downloader downloader = new(DownloadLimits.Default);
        Assert.Equal((true, null), await downloader.SizeAsync(new Uri(_server.Address + "file"), default));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Answer_that_is_too_large_is_refused(bool saysLength)
    {
        _server.Give("file", new LocalAnswer { Content = s_content, SaysLength = saysLength });
        await RefusedAsync("127.0.0.1 sends more than the 100,000 bytes that are allowed", most: 100_000);
    }

    [Theory]
    [InlineData(0, true)]
    [InlineData(1, false)]
    public async Task What_has_come_together_is_known(int more, bool isSpent)
    {
        _server.Give("file", s_content);
        using Downloader downloader = new(new DownloadLimits { Together = (2 * s_content.Length) + more });
        Uri address = new(_server.Address + "file");
        await downloader.SaveAsync(address, Target, 1 << 20, null, default);
        Assert.False(downloader.IsSpent);
        await downloader.SaveAsync(address, Target, 1 << 20, null, default);
        Assert.Equal(isSpent, downloader.IsSpent);
    }

    [Fact]
    public async Task Answer_that_breaks_off_is_refused()
    {
        _server.Give("file", new LocalAnswer { Content = s_content, Sent = 1000 });
        await RefusedAsync("the answer of 127.0.0.1 broke off");
    }

    /// <summary>The server sends nothing more for ever: whatever the limit, it is reached.</summary>
    [Theory]
    [InlineData(true, "127.0.0.1 sent nothing for 0.2 s")]
    [InlineData(false, "127.0.0.1 took longer than 0.2 s")]
    public async Task Server_that_falls_silent_is_left(bool isSilence, string reason)
    {
        TimeSpan limit = TimeSpan.FromSeconds(0.2);
        _server.Give("file", new LocalAnswer { Content = s_content, Sent = 0, Stalls = true });
        await RefusedAsync(reason, isSilence ? new DownloadLimits { Silence = limit } : new DownloadLimits { Whole = limit });
    }

    [Fact]
    public async Task User_may_end_it()
    {
        _server.Give("file", new LocalAnswer { Content = s_content, Sent = 0, Stalls = true });
        using CancellationTokenSource end = new(TimeSpan.FromSeconds(0.2));
        using Downloader downloader = new(DownloadLimits.Default);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => downloader.SaveAsync(new Uri(_server.Address + "file"), Target, 1 << 20, null, end.Token));
        AssertNothing();
    }

    [Fact]
    public async Task Redirection_on_this_machine_is_followed()
    {
        _server.Give("file", new LocalAnswer { Status = 302, Location = "/other" }).Give("other", s_content);
        List<string> asked = [];
        using Downloader downloader = new(DownloadLimits.Default, asked.Add);
        Assert.True(await downloader.SaveAsync(new Uri(_server.Address + "file"), Target, 1 << 20, null, default));
        Assert.Equal([$"GET {_server.Address}file", $"GET {_server.Address}other"], asked);
    }

    [Theory]
    [InlineData("http://symbols.example/file", "sends to http://symbols.example/file, which is not https, and is not followed")]
    [InlineData("http://127.0.0.2.example/file", "which is not https")]
    [InlineData("file:///etc/passwd", "which is not https")]
    [InlineData("ftp://127.0.0.1/file", "which is not https")]
    public async Task Redirection_to_anything_but_https_is_refused(string location, string reason)
    {
        _server.Give("file", new LocalAnswer { Status = 301, Location = location });
        await RefusedAsync(reason);
    }

    [Fact]
    public async Task Redirection_without_end_is_left()
    {
        _server.Give("file", new LocalAnswer { Status = 307, Location = "/file" });
        await RefusedAsync("sends to another address again and again");
        Assert.Equal(DownloadLimits.Default.Redirections + 1, _server.Requests.Count);
    }

    [Theory]
    [InlineData(401)]
    [InlineData(500)]
    public async Task Refusal_is_told_with_its_number(int status)
    {
        _server.Give("file", new LocalAnswer { Status = status });
        await RefusedAsync($"({status} ");
    }

    [Fact]
    public async Task Machine_that_does_not_answer_is_told()
    {
        using TcpListener closed = new(IPAddress.Loopback, 0);
        closed.Start();
        int port = ((IPEndPoint)closed.LocalEndpoint).Port;
        closed.Stop();
        using Downloader downloader = new(DownloadLimits.Default);
        DownloadException error = await Assert.ThrowsAsync<DownloadException>(
            () => downloader.SaveAsync(new Uri($"http://127.0.0.1:{port}/file"), Target, 1 << 20, null, default));
        Assert.StartsWith("127.0.0.1 cannot be asked (", error.Message, StringComparison.Ordinal);
        AssertNothing();
    }

    [Theory]
    [InlineData("http://feed.example/index.json", "is not asked: its address is plain http")]
    [InlineData("ftp://feed.example/index.json", "is not asked: its address is neither https nor a directory")]
    public async Task Address_that_anybody_could_change_is_not_asked(string address, string reason)
    {
        using Downloader downloader = new(DownloadLimits.Default);
        Assert.Contains(reason, (await Assert.ThrowsAsync<DownloadException>(() => downloader.ReadAsync(new Uri(address), default))).Message,
            StringComparison.Ordinal);
    }

    private string Target => Path.Combine(_folder.FullName, "target");

    private async Task<bool> SaveAsync(string path)
    {
        using Downloader downloader = new(DownloadLimits.Default);
        return await downloader.SaveAsync(new Uri(_server.Address + path), Target, 1 << 20, null, default);
    }

    private async Task RefusedAsync(string reason, DownloadLimits? limits = null, long most = 1 << 20)
    {
        using Downloader downloader = new(limits ?? DownloadLimits.Default);
        DownloadException error = await Assert.ThrowsAsync<DownloadException>(
            () => downloader.SaveAsync(new Uri(_server.Address + "file"), Target, most, null, default));
        Assert.Contains(reason, error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', error.Message);
        AssertNothing();
    }

    private void AssertNothing() => Assert.Empty(_folder.EnumerateFileSystemInfos());
}
