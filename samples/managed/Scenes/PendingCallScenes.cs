using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;

namespace Dump.Samples.Managed.Scenes;

/// <summary>Calls over one connection, each of which awaits a completion source of its own, which the reader of the answers completes.</summary>
internal static class PendingCallScenes
{
    private const int Calls = 120;
    private static readonly List<object> s_kept = [];

    public static void AddTo(Dictionary<string, Action<Stage>> scenes)
    {
        scenes.Add("pending-calls", stage => Begin(stage, isClosed: true));
        scenes.Add("pending-calls-in-flight", stage => Begin(stage, isClosed: false));
    }

    /// <summary>
    /// The server has closed the connection, the reader has ended, and nobody tells the calls. Healthy twin: the server takes its time, and the reader waits
    /// for its answers.
    /// </summary>
    private static void Begin(Stage stage, bool isClosed)
    {
        TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        Client client = new(((IPEndPoint)listener.LocalEndpoint).Port);
        Socket server = listener.AcceptSocket();
        Task reader = client.ReadAsync();
        Task[] calls = [.. Enumerable.Range(0, Calls).Select(i => HandleAsync(client, i))];
        s_kept.AddRange([listener, client, server, reader, .. calls]);
        if (isClosed)
        {
            // Only what was read is closed without an error.
            server.ReceiveTimeout = 60_000;
            for (int taken = 0; taken < Calls;)
            {
                taken += server.Receive(new byte[Calls - taken]);
            }

            server.Shutdown(SocketShutdown.Send);
            stage.Until("the reader to end", () => reader.IsCompleted);
        }

        stage.Until("the calls to wait", () => client.Pending == Calls && calls.All(c => !c.IsCompleted));
    }

    private static async Task HandleAsync(Client client, int number)
    {
        await client.CallAsync(number).ConfigureAwait(false);
        await Task.Yield();
    }

    private sealed class Client
    {
        private readonly ConcurrentDictionary<int, TaskCompletionSource<int>> _pending = new();
        private readonly NetworkStream _stream;
        private readonly SemaphoreSlim _writing = new(1);

        public Client(int port)
        {
            Socket socket = new(SocketType.Stream, ProtocolType.Tcp);
            socket.Connect(IPAddress.Loopback, port);
            _stream = new NetworkStream(socket, ownsSocket: true);
        }

        public int Pending => _pending.Count;

        public async Task<int> CallAsync(int number)
        {
            TaskCompletionSource<int> answer = new(TaskCreationOptions.RunContinuationsAsynchronously);
            _pending[number] = answer;
            await _writing.WaitAsync().ConfigureAwait(false);
            try
            {
                await _stream.WriteAsync(new byte[] { (byte)number }).ConfigureAwait(false);
            }
            finally
            {
                _writing.Release();
            }

            return await answer.Task.ConfigureAwait(false);
        }

        public async Task ReadAsync()
        {
            byte[] buffer = new byte[Calls];
            int read;
            while ((read = await _stream.ReadAsync(buffer).ConfigureAwait(false)) > 0)
            {
                for (int i = 0; i < read; i++)
                {
                    if (_pending.TryRemove(buffer[i], out TaskCompletionSource<int>? answer))
                    {
                        answer.TrySetResult(read);
                    }
                }
            }
        }
    }
}
