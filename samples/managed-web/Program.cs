namespace Dump.Samples.Managed.Web;

/// <summary>
/// A web server under load in which a scene happens: <c>managed-hang-web SCENE</c>. Prints what <c>managed-hang</c> prints, and ends by itself after ten
/// minutes; <c>--list</c> prints each scene with its place, and why it has none. Those of <see cref="HostScenes"/> and
/// <see cref="RequestScenes"/> bring their own server and are not listed.
/// </summary>
internal static class Program
{
    private const int Clients = 32;
    private static readonly TimeSpan s_lifetime = TimeSpan.FromMinutes(10);

    private static int Main(string[] arguments)
    {
        Dictionary<string, Action<Stage>> scenes = SceneTable.All();
        if (arguments is ["--list"])
        {
            Console.WriteLine(string.Join('\n', scenes.Keys.Order(StringComparer.Ordinal).Select(name => $"{name} {ScenePlaces.Describe(name)}")));
            return 0;
        }

        if (arguments is [var own] && (HostScenes.All.TryGetValue(own, out Action? play) || RequestScenes.All.TryGetValue(own, out play)))
        {
            play();
            return 0;
        }

        if (arguments is not [var chosen] || !scenes.TryGetValue(chosen, out Action<Stage>? scene) || ScenePlaces.Of(chosen) == ScenePlace.None)
        {
            Console.Error.WriteLine("usage: managed-hang-web SCENE | --list");
            return 2;
        }

        WebServer server = new();
        Console.WriteLine($"listens {server.Address}");
        WebLoad load = new(server.Address, Clients);
        Stage stage;
        if (ScenePlaces.Of(chosen) == ScenePlace.Requests)
        {
            RequestStage requests = new(server);
            stage = requests;
            load.Begin(stage);
            requests.Play(scene);
        }
        else
        {
            stage = new Stage();
            load.Begin(stage);
            scene(stage);
        }

        load.GoOn(stage);
        stage.Ready();
        Thread.Sleep(s_lifetime);
        Environment.Exit(0);
        return 0;
    }
}
