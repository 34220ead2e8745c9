using Confluent.Kafka;

namespace Dump.Samples.Managed.Packages;

/// <summary>
/// A consumer of Kafka without a broker that waits for a message under a monitor, which another thread needs: the innermost frames are those of librdkafka,
/// native code.
/// </summary>
internal static class KafkaScene
{
    private static readonly object s_orders = new();

    /// <summary>Plays it.</summary>
    public static void Play(Stage stage)
    {
        ConsumerConfig settings = new() { BootstrapServers = "127.0.0.1:1", GroupId = "shop" };
        IConsumer<string, string> consumer = new ConsumerBuilder<string, string>(settings).SetLogHandler((_, _) => { }).SetErrorHandler((_, _) => { }).Build();
        consumer.Subscribe("orders");
        stage.Keep(consumer);
        using ManualResetEventSlim consuming = new();
        stage.Start("consume", () => Consume(consumer, consuming));
        consuming.Wait();
        stage.UntilBlocked(stage.Start("cancel", Cancel));
    }

    private static void Consume(IConsumer<string, string> consumer, ManualResetEventSlim consuming)
    {
        lock (s_orders)
        {
            consuming.Set();
            consumer.Consume(Timeout.Infinite);  // KafkaScene.Consume waits here
        }
    }

    private static void Cancel()
    {
        lock (s_orders)
        {
            Stage.Forever();
        }
    }
}
