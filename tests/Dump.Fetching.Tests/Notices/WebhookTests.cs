using Dump.Fetching.Notices;
using Dump.Testing.Network;

namespace Dump.Fetching.Tests.Notices;

/// <summary>Notices go to one address and nowhere else.</summary>
public sealed class WebhookTests : IDisposable
{
    private readonly LocalServer _server = new();

    [Theory]
    [InlineData(200, null)]
    [InlineData(204, null)]
    [InlineData(404, "the server answers 404")]
    [InlineData(500, "the server answers 500")]
    public async Task Document_is_posted_once(int status, string? problem)
    {
        _server.Give("hook", new LocalAnswer { Status = status });
        using Webhook webhook = new(new Uri(_server.Address + "hook"));
        Assert.Equal((problem, true), await webhook.PostAsync("{}"u8.ToArray(), CancellationToken.None));
        string request = Assert.Single(_server.Requests);
        Assert.StartsWith("POST /hook HTTP/1.1", request, StringComparison.Ordinal);
        Assert.Contains("Content-Type: application/json", request, StringComparison.Ordinal);
        Assert.Contains("Content-Length: 2", request, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Other_address_is_not_followed()
    {
        _server.Give("hook", new LocalAnswer { Status = 307, Location = "/other" }).Give("other", []);
        using Webhook webhook = new(new Uri(_server.Address + "hook"));
        Assert.Equal(("the server answers 307", true), await webhook.PostAsync("{}"u8.ToArray(), CancellationToken.None));
        Assert.Single(_server.Requests);
    }

    [Fact]
    public async Task Server_that_is_not_there_is_named_by_its_failure()
    {
        using Webhook webhook = new(new Uri(_server.Address));
        _server.Dispose();
        (string? problem, bool isReached) = await webhook.PostAsync("{}"u8.ToArray(), CancellationToken.None);
        Assert.False(isReached);
        Assert.StartsWith("the server cannot be asked", problem, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("ftp://example.org/")]
    [InlineData("file:///etc/passwd")]
    public void Other_schemes_are_refused(string address) => Assert.Throws<ArgumentException>(() => new Webhook(new Uri(address)));

    public void Dispose() => _server.Dispose();
}
