namespace Dump.Samples.Managed.Packages;

/// <summary>
/// A program that hangs inside of a package: <c>managed-hang-packages SCENE</c>. Prints what <c>managed-hang</c> prints, and ends by itself after ten minutes.
/// </summary>
internal static class Program
{
    private static readonly Dictionary<string, Action<Stage>> s_scenes = new(StringComparer.Ordinal)
    {
        ["quartz"] = QuartzScene.Play,
        ["sqlite"] = SqliteScene.Play,
        ["serilog"] = SerilogScene.Play,
        ["kafka"] = KafkaScene.Play,
    };

    /// <summary>Where scenes keep their files: whoever starts one says it, and removes it.</summary>
    internal static string Folder => Environment.GetEnvironmentVariable("SAMPLE_FOLDER") ?? ".";

    private static int Main(string[] arguments)
    {
        if (arguments is not [var chosen] || !s_scenes.TryGetValue(chosen, out Action<Stage>? scene))
        {
            Console.Error.WriteLine($"usage: managed-hang-packages {string.Join('|', s_scenes.Keys)}");
            return 2;
        }

        Stage stage = new();
        scene(stage);
        stage.Ready();
        Thread.Sleep(TimeSpan.FromMinutes(10));
        Environment.Exit(0);
        return 0;
    }
}
