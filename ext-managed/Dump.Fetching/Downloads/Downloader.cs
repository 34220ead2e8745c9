using System.Globalization;
using System.Net;
using Dump.Model.Text;
using Dump.Readers.Files;

namespace Dump.Fetching.Downloads;

/// <summary>
/// Asks servers by https, through the proxy that the system's settings name. Nothing is sent but the address and the name of this program: no cookie, no name
/// or password of the user, no referrer. Files are written aside and renamed, so that none is ever there in part.
/// </summary>
/// <param name="limits">What answers may take.</param>
/// <param name="asked">Told of each request before it is made: method and address.</param>
public sealed class Downloader(DownloadLimits limits, Action<string>? asked = null) : IDisposable
{
    private readonly HttpClient _client = PlainClient.Create(Timeout.InfiniteTimeSpan);
    private long _received;

    /// <summary>What answers may take.</summary>
    public DownloadLimits Limits => limits;

    /// <summary>True once as much has come as may come together.</summary>
    public bool IsSpent => _received >= limits.Together;

    /// <summary>Reads a small answer.</summary>
    /// <param name="address">The address.</param>
    /// <param name="cancellation">Ends the reading.</param>
    /// <returns>The bytes; null when the server has nothing at that address.</returns>
    /// <exception cref="DownloadException">The server cannot be asked, or its answer is of no use.</exception>
    public async Task<byte[]?> ReadAsync(Uri address, CancellationToken cancellation)
    {
        using MemoryStream bytes = new();
        return await CopyAsync(address, bytes, limits.Text, null, cancellation).ConfigureAwait(false) ? bytes.ToArray() : null;
    }

    /// <summary>Asks how large a file is, without reading it.</summary>
    /// <param name="address">The address.</param>
    /// <param name="cancellation">Ends the reading.</param>
    /// <returns>Whether the server has it, and its size in bytes where it says so.</returns>
    /// <exception cref="DownloadException">The server cannot be asked.</exception>
    public async Task<(bool IsThere, long? Bytes)> SizeAsync(Uri address, CancellationToken cancellation)
    {
        using SilenceLimit limit = new(limits, cancellation);
        return await AskAsync(HttpMethod.Head, address, limit, response => Task.FromResult((true, response.Content.Headers.ContentLength)), (false, null),
            (true, null)).ConfigureAwait(false);
    }

    /// <summary>Saves a file.</summary>
    /// <param name="address">The address.</param>
    /// <param name="target">Path of the file, which comes into being whole or not at all; its directory must exist.</param>
    /// <param name="most">Bytes that it may have.</param>
    /// <param name="progress">Receives the bytes that have come so far.</param>
    /// <param name="cancellation">Ends the reading.</param>
    /// <returns>False when the server has nothing at that address.</returns>
    /// <exception cref="DownloadException">The server cannot be asked, or its answer is of no use.</exception>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public async Task<bool> SaveAsync(Uri address, string target, long most, IProgress<long>? progress, CancellationToken cancellation)
    {
        string aside = $"{target}.{Path.GetRandomFileName()}.part";
        try
        {
            bool isThere;
            await using (FileStream file = PrivateFile.Create(aside))
            {
                isThere = await CopyAsync(address, file, most, progress, cancellation).ConfigureAwait(false);
            }

            if (isThere)
            {
                File.Move(aside, target, overwrite: true);
            }

            return isThere;
        }
        finally
        {
            File.Delete(aside);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _client.Dispose();

    private async Task<bool> CopyAsync(Uri address, Stream target, long most, IProgress<long>? progress, CancellationToken cancellation)
    {
        using SilenceLimit limit = new(limits, cancellation);
        return await AskAsync(HttpMethod.Get, address, limit, async response =>
        {
            Refuse(address, response.Content.Headers.ContentLength ?? 0, most);
            await using Stream content = await response.Content.ReadAsStreamAsync(limit.Token).ConfigureAwait(false);
            byte[] buffer = new byte[1 << 16];
            for (long done = 0; await content.ReadAsync(buffer, limit.Token).ConfigureAwait(false) is > 0 and var read;)
            {
                limit.Heard();
                done += read;
                _received += read;
                Refuse(address, done, most);
                await target.WriteAsync(buffer.AsMemory(0, read), limit.Token).ConfigureAwait(false);
                progress?.Report(done);
            }

            return true;
        }, false, false).ConfigureAwait(false);
    }

    private async Task<T> AskAsync<T>(
        HttpMethod method, Uri address, SilenceLimit limit, Func<HttpResponseMessage, Task<T>> read, T absent, T unanswered)
    {
        if (RequestRules.Problem(address) is { } problem)
        {
            throw new DownloadException($"{RequestRules.Shown(address)} is not asked: {problem}");
        }

        try
        {
            for (int i = 0; i <= limits.Redirections; i++)
            {
                asked?.Invoke($"{method} {RequestRules.Shown(address)}");
                using HttpRequestMessage request = new(method, address);
                using HttpResponseMessage response =
                    await _client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, limit.Token).ConfigureAwait(false);
                limit.Heard();
                if ((int)response.StatusCode is >= 300 and < 400 && response.Headers.Location is { } location)
                {
                    address = Next(address, location);
                    continue;
                }

                // Some feeds answer no question for the size alone: whether they have the file shows when it is read.
                bool isUnanswered = method == HttpMethod.Head
                    && response.StatusCode is HttpStatusCode.MethodNotAllowed or HttpStatusCode.NotImplemented;
                return isUnanswered ? unanswered
                    : response.StatusCode is HttpStatusCode.NotFound or HttpStatusCode.Gone ? absent
                    : response.IsSuccessStatusCode ? await read(response).ConfigureAwait(false)
                    : throw new DownloadException(string.Create(CultureInfo.InvariantCulture,
                        $"{address.Host} refused {RequestRules.Shown(address)} ({(int)response.StatusCode} {response.StatusCode})"));
            }

            throw new DownloadException($"{address.Host} sends to another address again and again");
        }
        catch (OperationCanceledException) when (limit.IsOver)
        {
            throw new DownloadException($"{address.Host} {limit.Reason}");
        }
        catch (HttpIOException error)
        {
            throw new DownloadException($"the answer of {address.Host} broke off ({Reason(error)})");
        }
        catch (HttpRequestException error)
        {
            throw new DownloadException($"{address.Host} cannot be asked ({Reason(error)})");
        }
    }

    private static Uri Next(Uri address, Uri location)
    {
        Uri next = new(address, location);
        return RequestRules.MayLeadTo(address, next) ? next
            : throw new DownloadException($"{address.Host} sends to {RequestRules.Shown(next)}, which is not https, and is not followed");
    }

    private static void Refuse(Uri address, long bytes, long most)
    {
        if (bytes > most)
        {
            throw new DownloadException(string.Create(CultureInfo.InvariantCulture,
                $"{address.Host} sends more than the {most:N0} bytes that are allowed for {RequestRules.Shown(address)}"));
        }
    }

    private static string Reason(Exception error) =>
        SafeText.Clean((error.InnerException is { } inner and not IOException ? inner : error).Message.TrimEnd('.'), 200);
}

/// <summary>Ends a request when the server has sent nothing for too long, or takes too long for the whole.</summary>
internal sealed class SilenceLimit : IDisposable
{
    private readonly DownloadLimits _limits;
    private readonly CancellationToken _user;
    private readonly CancellationTokenSource _silence;
    private readonly CancellationTokenSource _whole;
    private readonly CancellationTokenSource _either;

    /// <summary>Begins to count.</summary>
    /// <param name="limits">The limits.</param>
    /// <param name="user">Ends the request for another reason.</param>
    public SilenceLimit(DownloadLimits limits, CancellationToken user)
    {
        _limits = limits;
        _user = user;
        _silence = new CancellationTokenSource(limits.Silence);
        _whole = new CancellationTokenSource(limits.Whole);
        _either = CancellationTokenSource.CreateLinkedTokenSource(user, _silence.Token, _whole.Token);
    }

    /// <summary>Cancelled when a limit is over, or by the user.</summary>
    public CancellationToken Token => _either.Token;

    /// <summary>True when a limit is over, and the user did not want the end.</summary>
    public bool IsOver => !_user.IsCancellationRequested && (_silence.IsCancellationRequested || _whole.IsCancellationRequested);

    /// <summary>What the server did, as the rest of a sentence.</summary>
    public string Reason => _silence.IsCancellationRequested ? $"sent nothing for {Shown(_limits.Silence)}" : $"took longer than {Shown(_limits.Whole)}";

    /// <summary>The server has sent something: it may be silent anew.</summary>
    public void Heard() => _silence.CancelAfter(_limits.Silence);

    /// <inheritdoc/>
    public void Dispose()
    {
        _either.Dispose();
        _silence.Dispose();
        _whole.Dispose();
    }

    private static string Shown(TimeSpan time) => string.Create(CultureInfo.InvariantCulture, $"{time.TotalSeconds:0.##} s");
}

/// <summary>A server did not give what it was asked for.</summary>
/// <param name="message">What happened, as a clause that names the server.</param>
public sealed class DownloadException(string message) : Exception(message);

/// <summary>What one answer of a server may take.</summary>
public sealed record DownloadLimits
{
    /// <summary>The usual ones.</summary>
    public static DownloadLimits Default { get; } = new();

    /// <summary>How long a server may send nothing.</summary>
    public TimeSpan Silence { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>How long one download may take.</summary>
    public TimeSpan Whole { get; init; } = TimeSpan.FromHours(1);

    /// <summary>How many times a server may send to another address.</summary>
    public int Redirections { get; init; } = 5;

    /// <summary>Bytes of an answer that is read as text, such as the index of a feed.</summary>
    public long Text { get; init; } = 4 << 20;

    /// <summary>Bytes of a package.</summary>
    public long Package { get; init; } = 512 << 20;

    /// <summary>Bytes of a PDB or image file, compressed or not.</summary>
    public long File { get; init; } = 4L << 30;

    /// <summary>Bytes of a Linux debug file or image.</summary>
    public long DebugFile { get; init; } = 2L << 30;

    /// <summary>Bytes of all answers together: what goes beyond is not begun any more.</summary>
    public long Together { get; init; } = 16L << 30;
}
