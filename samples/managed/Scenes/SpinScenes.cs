namespace Dump.Samples.Managed.Scenes;

/// <summary>Threads that burn processor time.</summary>
internal static class SpinScenes
{
    public static void AddTo(Dictionary<string, Action<Stage>> scenes)
    {
        scenes.Add("spin-owner", SpinningOwner);
        scenes.Add("runaway", stage => stage.Start("runaway", Compute));
    }

    private static void SpinningOwner(Stage stage)
    {
        object held = new();
        using ManualResetEventSlim owned = new();
        stage.Start("owner", () =>
        {
            lock (held)
            {
                owned.Set();
                Compute();
            }
        });
        owned.Wait();
        stage.UntilBlocked([.. Enumerable.Range(0, 5).Select(_ => stage.Start("waiter", () => MonitorScenes.EnterAndLeave(held)))]);
        Thread.Sleep(1500);
    }

    private static void Compute()
    {
        ulong value = 1;
        while (value != 0)
        {
            value = value * 6364136223846793005 + 1442695040888963407;
            value |= 1;
        }
    }
}
