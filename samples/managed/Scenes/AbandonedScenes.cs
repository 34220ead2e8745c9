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
        scenes.Add("abandoned-countdown", stage => Countdown(stage, isServed: false));
        scenes.Add("served-countdown", stage => Countdown(stage, isServed: true));
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

    /// <summary>A thread waits for the signals of four others, one of which has ended early.</summary>
    private static void Countdown(Stage stage, bool isServed)
    {
        Tick(stage);
        Thread collector = stage.Start("collector", () => Collect(isServed));
        stage.UntilBlocked(collector, stage.Start("joins", collector.Join));
    }

    private static void Collect(bool isServed)
    {
        CountdownEvent left = new(Parties);
        if (isServed)
        {
            Every(15, () => SignalOnce(left));
        }

        left.Signal(Parties - 1);
        while (true)
        {
            left.Wait();
            left.Reset();
        }
    }

    private static void SignalOnce(CountdownEvent left)
    {
        if (!left.IsSet)
        {
            left.Signal();
        }
    }

    private static void Tick(Stage stage)
    {
        Every(20, () => s_ticks++);
        stage.Until("a timer to tick", () => s_ticks > 2);
    }

    private static void Every(int milliseconds, Action action) => s_timers.Add(new Timer(_ => action(), null, milliseconds, milliseconds));
}
