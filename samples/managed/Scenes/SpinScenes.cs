namespace Dump.Samples.Managed.Scenes;

/// <summary>Threads that burn processor time.</summary>
internal static class SpinScenes
{
    public static void AddTo(Dictionary<string, Action<Stage>> scenes)
    {
        scenes.Add("spin-owner", SpinningOwner);
        scenes.Add("spin-crowd", Crowd);
        scenes.Add("runaway", stage => stage.Start("runaway", Compute));
    }

    /// <summary>Four threads compute, one of them under a lock that fifty others wait for.</summary>
    private static void Crowd(Stage stage)
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
        Thread[] waiters = [.. Enumerable.Range(0, 50).Select(_ => stage.Start("waiter", () => MonitorScenes.EnterAndLeave(held)))];
        for (int i = 0; i < 3; i++)
        {
            stage.Start("spinner", Compute);
        }

        stage.UntilBlocked(waiters);
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
