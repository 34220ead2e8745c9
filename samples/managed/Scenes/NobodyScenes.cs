namespace Dump.Samples.Managed.Scenes;

/// <summary>Programs all of whose threads wait for what nobody owns. The main thread never comes back from them.</summary>
internal static class NobodyScenes
{
    public static void AddTo(Dictionary<string, Action<Stage>> scenes)
    {
        scenes.Add("nobody-releases", stage => Wait(stage, withTimer: false));
        scenes.Add("nobody-releases-yet", stage => Wait(stage, withTimer: true));
        scenes.Add("nobody-arrives", NobodyArrives);
    }

    /// <summary>
    /// Two threads want a semaphore that nobody releases, and the main thread an event that they would set. With a timer somebody may still do so.
    /// </summary>
    private static void Wait(Stage stage, bool withTimer)
    {
        SemaphoreSlim permits = new(0);
        ManualResetEvent done = new(false);
        Timer? timer = withTimer ? new Timer(_ => GC.KeepAlive(permits), null, TimeSpan.FromMinutes(10), TimeSpan.FromMinutes(10)) : null;
        stage.UntilBlocked(Enumerable.Range(0, 2).Select(i => stage.Start($"waiter-{i}", () => TakeAndSay(permits, done))).ToArray());
        stage.Ready();
        done.WaitOne();
        GC.KeepAlive(timer);
    }

    /// <summary>Two foreground threads wait at a barrier for a third, which never comes, and <c>Main</c> has returned.</summary>
    private static void NobodyArrives(Stage stage)
    {
        stage.ReturnsFromMain = true;
        Barrier barrier = new(3);
        Thread[] early = [.. Enumerable.Range(0, 2).Select(i => stage.Start($"early-{i}", barrier.SignalAndWait))];
        foreach (Thread thread in early)
        {
            thread.IsBackground = false;
        }

        stage.UntilBlocked(early);
    }

    private static void TakeAndSay(SemaphoreSlim permits, ManualResetEvent done)
    {
        permits.Wait();
        done.Set();
    }
}
