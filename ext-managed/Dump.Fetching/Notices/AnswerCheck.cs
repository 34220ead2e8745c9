using Dump.Fetching.Downloads;
using Dump.Model.Text;

namespace Dump.Fetching.Notices;

/// <summary>
/// Asks one address that the user names whether it answers at all, not by a proxy: any answer is one, of whatever number, also one that leads elsewhere, which is
/// not followed. A connection that is refused is an answer too: nobody listens, so that nobody hangs.
/// </summary>
public sealed class AnswerCheck : IDisposable
{
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
        _client = PlainClient.Create(within, handler => (handler.PooledConnectionLifetime, handler.UseProxy) = (TimeSpan.Zero, false));
    }

    /// <summary>Asks once.</summary>
    /// <param name="cancellation">Ends the asking.</param>
    /// <returns>
    /// Whether it answers: false when no answer began in time. Where it could not even be asked, which says nothing, that as a clause (sanitised).
    /// </returns>
    /// <exception cref="OperationCanceledException">It was ended.</exception>
    public async Task<(bool Answers, string? Trouble)> AnswersAsync(CancellationToken cancellation)
    {
        try
        {
            using HttpRequestMessage request = new(HttpMethod.Get, _address);
            using HttpResponseMessage response = await _client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, cancellation).ConfigureAwait(false);
            return (true, null);
        }
        catch (HttpRequestException error)
        {
            return (true, error.HttpRequestError is HttpRequestError.NameResolutionError or HttpRequestError.SecureConnectionError
                ? SafeText.Clean(error.HttpRequestError.ToString(), 100) : null);
        }
        catch (TaskCanceledException) when (!cancellation.IsCancellationRequested)
        {
            return (false, null);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _client.Dispose();
}
