namespace Dump.Fetching.Notices;

/// <summary>
/// Asks one address that the user names whether it answers at all: any answer is one, of whatever number, also one that leads elsewhere, which is not followed.
/// A connection that is refused is an answer too: nobody listens, so that nobody hangs.
/// </summary>
public sealed class AnswerCheck : IDisposable
{
    private const string Program = "dumpanalyze";
    private readonly HttpClient _client;
    private readonly Uri _address;

    /// <summary>Nothing is asked yet.</summary>
    /// <param name="address">The address: http or https.</param>
    /// <param name="within">How long an answer may take to begin.</param>
    /// <exception cref="ArgumentException">It is neither.</exception>
    public AnswerCheck(Uri address, TimeSpan within)
    {
        _address = Webhook.IsOne(address) ? address : throw new ArgumentException("neither http nor https", nameof(address));

        // Each question has a connection of its own: a server that hangs may still answer on an old one, or the other way round.
        _client = new HttpClient(new SocketsHttpHandler
        {
            AllowAutoRedirect = false, UseCookies = false, Credentials = null, PreAuthenticate = false, ActivityHeadersPropagator = null,
            PooledConnectionLifetime = TimeSpan.Zero,
        })
        {
            Timeout = within,
            DefaultRequestHeaders = { { "User-Agent", Program } },
        };
    }

    /// <summary>Asks once.</summary>
    /// <param name="cancellation">Ends the asking.</param>
    /// <returns>False when no answer began in time.</returns>
    /// <exception cref="OperationCanceledException">It was ended.</exception>
    public async Task<bool> AnswersAsync(CancellationToken cancellation)
    {
        try
        {
            using HttpRequestMessage request = new(HttpMethod.Get, _address);
            using HttpResponseMessage response = await _client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, cancellation).ConfigureAwait(false);
            return true;
        }
        catch (HttpRequestException)
        {
            return true;
        }
        catch (TaskCanceledException) when (!cancellation.IsCancellationRequested)
        {
            return false;
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _client.Dispose();
}
