using Dump.Readers.Files;

namespace Dump.Fetching.Downloads;

/// <summary>
/// The client of all requests: it sends what a request holds and who asks, no cookie and no password of the system, and follows no answer to another address.
/// </summary>
internal static class PlainClient
{
    private const string Program = "dumpanalyze";

    /// <summary>Makes one, through the proxy that the system's settings name.</summary>
    /// <param name="timeout">How long an answer may take to begin.</param>
    /// <param name="change">Changes how it connects; null to leave it.</param>
    /// <exception cref="MissingSystemLibraryException">OpenSSL is not here.</exception>
    public static HttpClient Create(TimeSpan timeout, Action<SocketsHttpHandler>? change = null)
    {
        SystemCryptography.Require();
        SocketsHttpHandler handler = new()
        {
            AllowAutoRedirect = false,
            UseCookies = false,
            Credentials = null,
            PreAuthenticate = false,
            ActivityHeadersPropagator = null,
        };
        change?.Invoke(handler);
        return new HttpClient(handler) { Timeout = timeout, DefaultRequestHeaders = { { "User-Agent", Program } } };
    }
}
