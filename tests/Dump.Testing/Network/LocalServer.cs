using System.Collections.Concurrent;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Dump.Testing.Network;

/// <summary>A server of HTTP on this machine's own address that answers as a test wants, also wrongly. One request for each connection.</summary>
public sealed class LocalServer : IDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly ConcurrentDictionary<string, LocalAnswer> _answers = new(StringComparer.Ordinal);
    private readonly ConcurrentQueue<string> _requests = new();
    private readonly CancellationTokenSource _end = new();

    /// <summary>Starts it with nothing to give.</summary>
    public LocalServer()
    {
        _listener.Start();
        _ = ListenAsync();
    }

    /// <summary>Its address, with a slash at the end.</summary>
    public string Address => string.Create(CultureInfo.InvariantCulture, $"http://127.0.0.1:{((IPEndPoint)_listener.LocalEndpoint).Port}/");

    /// <summary>The requests so far, each with its header.</summary>
    public IReadOnlyCollection<string> Requests => _requests;

    /// <summary>Lets it answer at a path.</summary>
    /// <param name="path">The path without the slash at its beginning.</param>
    /// <param name="answer">The answer.</param>
    public LocalServer Give(string path, LocalAnswer answer)
    {
        _answers[$"/{path}"] = answer;
        return this;
    }

    /// <summary>Gives a file.</summary>
    public LocalServer Give(string path, byte[] content) => Give(path, new LocalAnswer { Content = content });

    /// <inheritdoc/>
    public void Dispose()
    {
        _end.Cancel();
        _listener.Dispose();
    }

    private async Task ListenAsync()
    {
        try
        {
            CancellationToken end = _end.Token;
            while (true)
            {
                TcpClient client = await _listener.AcceptTcpClientAsync(end).ConfigureAwait(false);
                _ = AnswerAsync(client, end);
            }
        }
        catch (Exception error) when (error is OperationCanceledException or SocketException or ObjectDisposedException)
        {
            // The end of the test.
        }
    }

    private async Task AnswerAsync(TcpClient client, CancellationToken end)
    {
        using (client)
        {
            try
            {
                NetworkStream stream = client.GetStream();
                string request = await ReadAsync(stream, end).ConfigureAwait(false);
                _requests.Enqueue(request);
                string[] words = request.Split(' ', 3);
                LocalAnswer answer = _answers.GetValueOrDefault(words.ElementAtOrDefault(1) ?? "", LocalAnswer.NotFound);
                string header = string.Create(CultureInfo.InvariantCulture,
                    $"HTTP/1.1 {answer.Status} Answer\r\n{(answer.SaysLength ? $"Content-Length: {answer.Content.Length}\r\n" : "")}Connection: close\r\n"
                        + $"{(answer.Location is { } next ? $"Location: {next}\r\n" : "")}\r\n");
                await stream.WriteAsync(Encoding.ASCII.GetBytes(header), end).ConfigureAwait(false);
                if (words[0] != "HEAD")
                {
                    await stream.WriteAsync(answer.Content.AsMemory(0, answer.Sent ?? answer.Content.Length), end).ConfigureAwait(false);
                    await stream.FlushAsync(end).ConfigureAwait(false);
                    if (answer.Stalls)
                    {
                        await Task.Delay(Timeout.InfiniteTimeSpan, end).ConfigureAwait(false);
                    }
                }
            }
            catch (Exception error) when (error is OperationCanceledException or IOException or SocketException or ObjectDisposedException)
            {
                // The other side has had enough, or the test is over.
            }
        }
    }

    private static async Task<string> ReadAsync(NetworkStream stream, CancellationToken end)
    {
        StringBuilder request = new();
        byte[] buffer = new byte[4096];
        while (!request.ToString().Contains("\r\n\r\n", StringComparison.Ordinal)
            && await stream.ReadAsync(buffer, end).ConfigureAwait(false) is > 0 and var read)
        {
            request.Append(Encoding.ASCII.GetString(buffer, 0, read));
        }

        return request.ToString();
    }
}
