using System.Net.Http.Headers;
using Dump.Fetching.Downloads;
using Dump.Model.Text;

namespace Dump.Fetching.Notices;

/// <summary>
/// Posts JSON documents to one address that the user names, through the proxy that the system's settings name. Follows no answer to another address, sends no
/// cookie and no password of the system.
/// </summary>
public sealed class Webhook : IDisposable
{
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(10);
    private readonly HttpClient _client;
    private readonly Uri _address;

    /// <summary>Nothing is asked yet.</summary>
    /// <param name="address">The address: http or https.</param>
    /// <exception cref="ArgumentException">It is neither.</exception>
    public Webhook(Uri address)
    {
        _address = IsOne(address) ? address : throw new ArgumentException("neither http nor https", nameof(address));
        _client = PlainClient.Create(s_limit);
    }

    /// <summary>True for an address that can be asked.</summary>
    public static bool IsOne(Uri address) => address.IsAbsoluteUri && (address.Scheme == Uri.UriSchemeHttps || address.Scheme == Uri.UriSchemeHttp);

    /// <summary>Posts a document.</summary>
    /// <param name="json">The document.</param>
    /// <param name="cancellation">Ends the asking.</param>
    /// <returns>
    /// Null when the server took it (an answer of 200 to 299), else what came in its place, as a clause (sanitised, without the address); and whether the server
    /// answered at all.
    /// </returns>
    public async Task<(string? Problem, bool IsReached)> PostAsync(byte[] json, CancellationToken cancellation)
    {
        try
        {
            using ByteArrayContent content = new(json);
            content.Headers.ContentType = new MediaTypeHeaderValue("application/json");
            using HttpRequestMessage request = new(HttpMethod.Post, _address) { Content = content };
            using HttpResponseMessage response = await _client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, cancellation).ConfigureAwait(false);
            return (response.IsSuccessStatusCode ? null : $"the server answers {(int)response.StatusCode}", true);
        }
        catch (HttpRequestException error)
        {
            return ($"the server cannot be asked ({SafeText.Clean(error.HttpRequestError.ToString(), 100)})", false);
        }
        catch (TaskCanceledException) when (!cancellation.IsCancellationRequested)
        {
            return ("the server does not answer in time", false);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _client.Dispose();
}
