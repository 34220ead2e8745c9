using Microsoft.EntityFrameworkCore;

namespace Dump.Samples.Healthy;

/// <summary>Entity Framework Core on SQLite: four workers that write, read and sum up orders.</summary>
internal static class Database
{
    private const int Workers = 4;

    public static async Task RunAsync(string file)
    {
        using (Orders orders = new(file))
        {
            await orders.Database.EnsureDeletedAsync().ConfigureAwait(false);
            await orders.Database.EnsureCreatedAsync().ConfigureAwait(false);
        }

        Console.WriteLine("ready");
        await Task.WhenAll(Enumerable.Range(0, Workers).Select(i => Task.Run(() => WorkAsync(file, i)))).ConfigureAwait(false);
    }

    private static async Task WorkAsync(string file, int worker)
    {
        for (int i = 0; ; i++)
        {
            using Orders orders = new(file);
            orders.Add(new Order { Customer = $"customer {worker}", Amount = i });
            await orders.SaveChangesAsync().ConfigureAwait(false);
            await orders.Set<Order>().Where(o => o.Customer == $"customer {worker}").SumAsync(o => o.Amount).ConfigureAwait(false);
            await Task.Delay(10).ConfigureAwait(false);
        }
    }

    private sealed class Orders(string file) : DbContext
    {
        protected override void OnConfiguring(DbContextOptionsBuilder options) => options.UseSqlite($"Data Source={file};Default Timeout=300");

        protected override void OnModelCreating(ModelBuilder model) => model.Entity<Order>();
    }

    private sealed class Order
    {
        public int Id { get; set; }

        public string Customer { get; set; } = "";

        public long Amount { get; set; }
    }
}
