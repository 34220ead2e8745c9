using System.Collections.Concurrent;
using System.Threading.Channels;

namespace Dump.Samples.Managed.Scenes;

/// <summary>
/// Threads that wait for what nobody is left to do, while timers of the program tick on. The healthy twin of each is busy: a timer does it, a little later.
/// </summary>
internal static class AbandonedScenes
{
    private const int Room = 4;
    private const int Parties = 4;
    private static readonly List<Timer> s_timers = [];
    private static volatile int s_ticks;

    public static void AddTo(Dictionary<string, Action<Stage>> scenes)
    {
        scenes.Add("abandoned-channel", stage => Channel(stage, isServed: false));
        scenes.Add("served-channel", stage => Channel(stage, isServed: true));
        scenes.Add("abandoned-collection", stage => Collection(stage, isServed: false));
        scenes.Add("served-collection", stage => Collection(stage, isServed: true));
        scenes.Add("abandoned-barrier", stage => Meeting(stage, isServed: false));
        scenes.Add("served-barrier", stage => Meeting(stage, isServed: true));
    }

    /// <summary>A thread blocks in an import of orders, whose writer has failed without completing the channel.</summary>
    private static void Channel(Stage stage, bool isServed)
    {
        Tick(stage);
        stage.UntilBlocked(stage.Start("importing", () => Import(isServed)));
    }

    private static void Import(bool isServed)
    {
        Channel<int> orders = System.Threading.Channels.Channel.CreateUnbounded<int>();
        if (isServed)
        {
            Every(15, () => orders.Writer.TryWrite(s_ticks));
        }

        orders.Writer.TryWrite(1);
        ImportAsync(orders.Reader).GetAwaiter().GetResult();
    }

    private static async Task ImportAsync(ChannelReader<int> orders)
    {
        while (await orders.WaitToReadAsync().ConfigureAwait(false))
        {
            orders.TryRead(out _);
        }
    }

    /// <summary>A producer fills a collection whose consumer has ended.</summary>
    private static void Collection(Stage stage, bool isServed)
    {
        Tick(stage);
        stage.UntilBlocked(stage.Start("producer", () => Produce(isServed)));
    }

    private static void Produce(bool isServed)
    {
        BlockingCollection<string> items = new(Room);
        if (isServed)
        {
            Every(15, () => items.TryTake(out _));
        }

        while (true)
        {
            items.Add("item");
        }
    }

    /// <summary>Threads meet at a barrier, but for one that has ended early.</summary>
    private static void Meeting(Stage stage, bool isServed)
    {
        Tick(stage);
        Barrier barrier = new(Parties);
        Thread[] parties = [.. Enumerable.Range(1, Parties - 1).Select(i => stage.Start($"party-{i}", () => Meet(barrier, TimeSpan.Zero)))];
        if (isServed)
        {
            stage.Start("late", () => Meet(barrier, TimeSpan.FromMilliseconds(15)));
        }
        else
        {
            stage.UntilBlocked(parties);
        }
    }

    private static void Meet(Barrier barrier, TimeSpan late)
    {
        while (true)
        {
            Thread.Sleep(late);
            barrier.SignalAndWait();
        }
    }

    private static void Tick(Stage stage)
    {
        Every(20, () => s_ticks++);
        stage.Until("a timer to tick", () => s_ticks > 2);
    }

    private static void Every(int milliseconds, Action action) => s_timers.Add(new Timer(_ => action(), null, milliseconds, milliseconds));
}
