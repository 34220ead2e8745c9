namespace Dump.Samples.Managed.Scenes;

/// <summary>Threads that wait for values another thread is making: <c>Lazy</c> and class constructors.</summary>
internal static class InitializationScenes
{
    public static void AddTo(Dictionary<string, Action<Stage>> scenes)
    {
        scenes.Add("lazy-cycle", LazyCycle);
        scenes.Add("lazy-slow", LazySlow);
        scenes.Add("type-initializer-cycle", TypeInitializerCycle);
        scenes.Add("type-initializer-slow", TypeInitializerSlow);
    }

    private static void LazyCycle(Stage stage)
    {
        Barrier bothRun = new(2);
        Lazy<int>? left = null, right = null;
        left = new Lazy<int>(() => Meet(bothRun) + right!.Value);
        right = new Lazy<int>(() => Meet(bothRun) + left.Value);
        stage.UntilBlocked(stage.Start("left", () => _ = left.Value), stage.Start("right", () => _ = right.Value));
    }

    private static int Meet(Barrier barrier)
    {
        barrier.SignalAndWait();
        return 1;
    }

    private static void LazySlow(Stage stage)
    {
        using ManualResetEventSlim begun = new();
        Lazy<int> value = new(() =>
        {
            begun.Set();
            Stage.Forever();
            return 1;
        });
        stage.Start("maker", () => _ = value.Value);
        begun.Wait();
        stage.UntilBlocked(stage.Start("reader-1", () => _ = value.Value), stage.Start("reader-2", () => _ = value.Value));
    }

    /// <summary>A thread runs a class constructor that wants a lock; the lock's owner needs that class.</summary>
    private static void TypeInitializerCycle(Stage stage)
    {
        using ManualResetEventSlim owned = new();
        Thread owner = stage.Start("owner", () =>
        {
            lock (Settings.Lock)
            {
                owned.Set();
                Settings.Begun.Wait();
                Thread.Sleep(300);
                Console.Error.WriteLine(Defaults.Value);
            }
        });
        owned.Wait();
        Thread initializer = stage.Start("initializer", () => Console.Error.WriteLine(Defaults.Value));
        Thread.Sleep(800);
        stage.UntilBlocked(initializer);
        GC.KeepAlive(owner);
    }

    private static void TypeInitializerSlow(Stage stage)
    {
        stage.Start("initializer", () => Console.Error.WriteLine(SlowDefaults.Value));
        Settings.Begun.Wait();
        stage.Start("reader", () => Console.Error.WriteLine(SlowDefaults.Value));
        Thread.Sleep(500);
    }

    private static class Settings
    {
        public static readonly object Lock = new();
        public static readonly ManualResetEventSlim Begun = new();
    }

    private static class Defaults
    {
        public static readonly int Value;

        static Defaults()
        {
            Settings.Begun.Set();
            lock (Settings.Lock)
            {
                Value = 1;
            }
        }
    }

    private static class SlowDefaults
    {
        public static readonly int Value;

        static SlowDefaults()
        {
            Settings.Begun.Set();
            Stage.Forever();
            Value = 1;
        }
    }
}
