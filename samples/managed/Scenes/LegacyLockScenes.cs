namespace Dump.Samples.Managed.Scenes;

/// <summary>The reader-writer lock of before <c>ReaderWriterLockSlim</c>, which old programs still use.</summary>
internal static class LegacyLockScenes
{
    public static void AddTo(Dictionary<string, Action<Stage>> scenes)
    {
        scenes.Add("legacy-rwlock-cycle", WriterCycle);
        scenes.Add("legacy-rwlock-reader-blocks-writer", ReaderBlocksWriter);
        scenes.Add("legacy-rwlock-slow", Slow);
    }

    private static void WriterCycle(Stage stage)
    {
        ReaderWriterLock left = new(), right = new();
        Barrier allOwn = new(2);
        stage.UntilBlocked(
            stage.Start("left", () => WriteThenWrite(left, right, allOwn)),
            stage.Start("right", () => WriteThenWrite(right, left, allOwn)));
    }

    private static void WriteThenWrite(ReaderWriterLock own, ReaderWriterLock next, Barrier allOwn)
    {
        own.AcquireWriterLock(Timeout.Infinite);
        allOwn.SignalAndWait();
        next.AcquireWriterLock(Timeout.Infinite);
        own.ReleaseWriterLock();
    }

    private static void ReaderBlocksWriter(Stage stage)
    {
        ReaderWriterLock table = new();
        object row = new();
        Barrier allOwn = new(2);
        stage.UntilBlocked(
            stage.Start("reader", () =>
            {
                table.AcquireReaderLock(Timeout.Infinite);
                allOwn.SignalAndWait();
                MonitorScenes.EnterAndLeave(row);
            }),
            stage.Start("writer", () =>
            {
                lock (row)
                {
                    allOwn.SignalAndWait();
                    table.AcquireWriterLock(Timeout.Infinite);
                }
            }));
    }

    /// <summary>A reader waits for a writer that sleeps: slow, not deadlocked.</summary>
    private static void Slow(Stage stage)
    {
        ReaderWriterLock table = new();
        using ManualResetEventSlim owned = new();
        stage.Start("writer", () =>
        {
            table.AcquireWriterLock(Timeout.Infinite);
            owned.Set();
            Stage.Forever();
        });
        owned.Wait();
        stage.UntilBlocked(stage.Start("reader", () => table.AcquireReaderLock(Timeout.Infinite)));
    }
}
