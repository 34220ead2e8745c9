using MassTransit;

namespace Dump.Samples.Healthy;

/// <summary>MassTransit in memory: a bus, a consumer, and a publisher of a hundred messages a second.</summary>
internal static class Messages
{
    public static async Task RunAsync()
    {
        HostApplicationBuilder builder = Host.CreateApplicationBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddMassTransit(bus =>
        {
            bus.AddConsumer<OrderConsumer>();
            bus.UsingInMemory((context, memory) => memory.ConfigureEndpoints(context));
        });
        builder.Services.AddHostedService<Publisher>();
        IHost host = builder.Build();
        await host.StartAsync().ConfigureAwait(false);
        Console.WriteLine("ready");
        await host.WaitForShutdownAsync().ConfigureAwait(false);
    }

    internal sealed record OrderPlaced(int Number);

    internal sealed class OrderConsumer : IConsumer<OrderPlaced>
    {
        public Task Consume(ConsumeContext<OrderPlaced> context) => Task.Delay(5, context.CancellationToken);
    }

    internal sealed class Publisher(IBus bus) : BackgroundService
    {
        protected override async Task ExecuteAsync(CancellationToken stoppingToken)
        {
            for (int i = 0; !stoppingToken.IsCancellationRequested; i++)
            {
                await bus.Publish(new OrderPlaced(i), stoppingToken).ConfigureAwait(false);
                await Task.Delay(10, stoppingToken).ConfigureAwait(false);
            }
        }
    }
}
