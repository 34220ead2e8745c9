using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Text;
using System.Threading.Channels;

namespace Dump.Samples.Managed.Scenes;

/// <summary>Many calls that ask for something of which there is none left: room in a channel, a connection of a client. Each listens to a socket besides.</summary>
internal static class DemandScenes
{
    private const int Callers = 24;
    private const int Room = 10;
    private const int FewWorkers = 3;
    private const int Items = 100_000;
    private static readonly List<object> s_kept = [];
    private static long s_written;
    private static long s_answered;

    public static void AddTo(Dictionary<string, Action<Stage>> scenes)
    {
        scenes.Add("channel-full", stage => Channel(stage, fails: true));
        scenes.Add("channel-drained", stage => Channel(stage, fails: false));
        scenes.Add("channel-slow", stage => Channel(stage, fails: false, callers: 1));
        scenes.Add("turns-taken", Turns);
        scenes.Add("connections-kept", stage => Connections(stage, keeps: true));
        scenes.Add("connections-returned", stage => Connections(stage, keeps: false));
        scenes.Add("workers-unsignalled", stage => Workers(stage, signals: false));
        scenes.Add("workers-signalled", stage => Workers(stage, signals: true));
    }

    /// <summary>All workers of the pool wait for a signal that nobody sets, and work is queued. Healthy twin: a thread sets it for one after the other.</summary>
    private static void Workers(Stage stage, bool signals)
    {
        // It is waited for without spinning, so that a worker that was just added is there at once.
        AutoResetEvent signal = new(false);
        ThreadPool.SetMinThreads(FewWorkers + 1, 1);
        for (int i = 0; i < Items; i++)
        {
            ThreadPool.QueueUserWorkItem(_ => Handle(signal));
        }

        if (signals)
        {
            stage.Start("signals", () => Signal(signal));
        }

        s_kept.AddRange([signal, Listen()]);
        stage.Until("the workers to wait", () => ThreadPool.ThreadCount > FewWorkers && (!signals || s_answered > Room));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Handle(AutoResetEvent signal)
    {
        signal.WaitOne();
        Interlocked.Increment(ref s_answered);
    }

    private static void Signal(AutoResetEvent signal)
    {
        while (true)
        {
            Thread.Sleep(5);
            signal.Set();
        }
    }

    /// <summary>The reader of a full channel has failed, and nobody tells the writers. Healthy twin: it takes its time for each item.</summary>
    private static void Channel(Stage stage, bool fails, int callers = Callers)
    {
        Channel<int> orders = System.Threading.Channels.Channel.CreateBounded<int>(Room);
        Task reader = TakeAsync(orders.Reader, fails);
        Task[] writers = [.. Enumerable.Range(0, callers).Select(_ => WriteAsync(orders.Writer))];
        s_kept.AddRange([orders, reader, .. writers, Listen()]);
        stage.Until("the writers to wait", () => fails ? reader.IsFaulted && s_written >= Room : s_written > callers + Room);
    }

    /// <summary>Healthy: four loops take turns with one semaphore, and each stands at it again whenever one looks.</summary>
    private static void Turns(Stage stage)
    {
        SemaphoreSlim gate = new(1);
        s_kept.Add(gate);
        s_kept.AddRange(Enumerable.Range(0, 4).Select(_ => TakeTurnsAsync(gate)));
        stage.Until("turns to be taken", () => s_written > Room);
    }

    private static async Task TakeTurnsAsync(SemaphoreSlim gate)
    {
        while (true)
        {
            await gate.WaitAsync().ConfigureAwait(false);
            try
            {
                await Task.Delay(5).ConfigureAwait(false);
                Interlocked.Increment(ref s_written);
            }
            finally
            {
                gate.Release();
            }
        }
    }

    private static async Task TakeAsync(ChannelReader<int> orders, bool fails)
    {
        while (true)
        {
            await orders.ReadAsync().ConfigureAwait(false);
            if (fails)
            {
                throw new InvalidOperationException("on purpose");
            }

            await Task.Delay(5).ConfigureAwait(false);
        }
    }

    private static async Task WriteAsync(ChannelWriter<int> orders)
    {
        while (true)
        {
            await orders.WriteAsync(1).ConfigureAwait(false);
            Interlocked.Increment(ref s_written);
        }
    }

    /// <summary>All connections of a client are held by answers that nobody has read to the end. Healthy twin: each answer is read, and the next caller is served.</summary>
    private static void Connections(Stage stage, bool keeps)
    {
        TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        HttpClient client = new(new SocketsHttpHandler { MaxConnectionsPerServer = 2 }) { Timeout = Timeout.InfiniteTimeSpan };
        Uri page = new($"http://127.0.0.1:{((IPEndPoint)listener.LocalEndpoint).Port}/");
        s_kept.AddRange([listener, client, ServeAsync(listener, keeps)]);
        if (keeps)
        {
            s_kept.AddRange(Enumerable.Range(0, 2).Select(_ => client.GetAsync(page, HttpCompletionOption.ResponseHeadersRead).GetAwaiter().GetResult()));
        }

        Task[] calls = [.. Enumerable.Range(0, Callers).Select(_ => GetPagesAsync(client, page))];
        s_kept.AddRange(calls);
        stage.Until("the callers to wait", () => calls.All(c => !c.IsCompleted) && (keeps || s_answered > Callers));
    }

    private static async Task GetPagesAsync(HttpClient client, Uri page)
    {
        while (true)
        {
            await client.GetStringAsync(page).ConfigureAwait(false);
            Interlocked.Increment(ref s_answered);
        }
    }

    private static async Task ServeAsync(TcpListener listener, bool keeps)
    {
        while (true)
        {
            TcpClient client = await listener.AcceptTcpClientAsync().ConfigureAwait(false);
            s_kept.Add(AnswerAsync(client.GetStream(), keeps));
        }
    }

    private static async Task AnswerAsync(NetworkStream stream, bool keeps)
    {
        byte[] request = new byte[4096];
        byte[] answer = Encoding.ASCII.GetBytes($"HTTP/1.1 200 OK\r\nContent-Length: {(keeps ? 100_000 : 3)}\r\n\r\nabc");
        while (await stream.ReadAsync(request).ConfigureAwait(false) > 0)
        {
            await Task.Delay(20).ConfigureAwait(false);
            await stream.WriteAsync(answer).ConfigureAwait(false);
        }
    }

    private static TcpListener Listen()
    {
        TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        s_kept.Add(listener.AcceptTcpClientAsync());
        return listener;
    }
}
