namespace Dump.Samples.Managed;

/// <summary>
/// A program that hangs on purpose: <c>managed-hang SCENE</c>. Prints <c>pid N</c>, <c>thread ID ROLE</c> a thread, then <c>ready</c> once the scene stands,
/// and ends by itself after ten minutes.
/// </summary>
internal static class Program
{
    private static readonly TimeSpan s_lifetime = TimeSpan.FromMinutes(10);

    private static int Main(string[] arguments)
    {
        Dictionary<string, Action<Stage>> scenes = SceneTable.All();
        if (arguments.Length == 1 && arguments[0] == "--list")
        {
            Console.WriteLine(string.Join('\n', scenes.Keys.OrderBy(name => name, StringComparer.Ordinal)));
            return 0;
        }

        if (arguments.Length != 1 || !scenes.TryGetValue(arguments[0], out Action<Stage>? scene))
        {
            Console.Error.WriteLine("usage: managed-hang SCENE | --list");
            return 2;
        }

        Stage stage = new();
        scene(stage);
        stage.Ready();
        if (stage.ReturnsFromMain)
        {
            return 0;
        }

        Thread.Sleep(s_lifetime);
        Environment.Exit(0);
        return 0;
    }
}
