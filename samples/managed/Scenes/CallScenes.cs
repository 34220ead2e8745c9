using System.Net;
using System.Net.Sockets;

namespace Dump.Samples.Managed.Scenes;

/// <summary>
/// Programs shaped like a host of tests: the first thread waits, in a function, for the task of a thread that waits for messages; another thread asks a socket
/// for them; a further one runs the tests. The main thread never comes back from them.
/// </summary>
internal static class CallScenes
{
    public static void AddTo(Dictionary<string, Action<Stage>> scenes)
    {
        scenes.Add("call-test-hangs", stage =>
        {
            // Somebody may set it.
            ManualResetEvent never = new(false);
            stage.Keep(never);
            Host(stage, () => never.WaitOne());
        });
        scenes.Add("call-test-runs", stage => Host(stage, () =>
        {
            Thread.Sleep(TimeSpan.FromMinutes(10));

            // Optimised code would jump into a call that stands last, and the test would have no frame.
            GC.KeepAlive(stage);
        }));
        scenes.Add("call-test-awaits", stage =>
        {
            stage.Keep(PauseAsync());
            Host(stage, runTest: null);
        });
    }

    private static void Host(Stage stage, Action? runTest)
    {
        Socket socket = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        ManualResetEventSlim begun = new(), message = new();
        stage.Start("asks", () => Ask(socket, message));
        if (runTest is not null)
        {
            stage.UntilBlocked(stage.Start("runs-test", runTest));
        }

        Task messages = Task.Factory.StartNew(
            () =>
            {
                stage.Role("messages");
                begun.Set();
                message.Wait();
            }, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        begun.Wait();
        stage.Ready();
        messages.Wait();
    }

    private static void Ask(Socket socket, ManualResetEventSlim message)
    {
        while (!socket.Poll(1_000_000, SelectMode.SelectRead))
        {
        }

        message.Set();
    }

    private static async Task PauseAsync() => await Task.Delay(TimeSpan.FromMinutes(10)).ConfigureAwait(false);
}
