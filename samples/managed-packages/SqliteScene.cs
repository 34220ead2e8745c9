using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Storage;

namespace Dump.Samples.Managed.Packages;

/// <summary>
/// Two threads that lock a file of SQLite and a monitor in different orders: one saves to the file under the monitor, while the other holds a transaction and
/// waits for the monitor.
/// </summary>
internal static class SqliteScene
{
    private static readonly object s_stock = new();
    private static readonly string s_file = Path.Combine(Program.Folder, "shop.db");

    /// <summary>Plays it.</summary>
    public static void Play(Stage stage)
    {
        using (ShopContext shop = new(s_file))
        {
            shop.Database.EnsureCreated();
        }

        using ManualResetEventSlim inTransaction = new(), inMonitor = new();
        Thread report = stage.Start("report", () => Report(inTransaction, inMonitor));
        inTransaction.Wait();
        Thread order = stage.Start("order", () => PlaceOrder(inMonitor));
        stage.UntilBlocked(report, order);
    }

    private static void Report(ManualResetEventSlim inTransaction, ManualResetEventSlim inMonitor)
    {
        using ShopContext shop = new(s_file);
        using IDbContextTransaction transaction = shop.Database.BeginTransaction();
        shop.Orders.Add(new Order { Text = "report" });
        shop.SaveChanges();
        inTransaction.Set();
        inMonitor.Wait();
        lock (s_stock)
        {
            transaction.Commit();
        }
    }

    private static void PlaceOrder(ManualResetEventSlim inMonitor)
    {
        lock (s_stock)
        {
            inMonitor.Set();
            using ShopContext shop = new(s_file);
            shop.Orders.Add(new Order { Text = "order" });
            shop.SaveChanges();  // SqliteScene.PlaceOrder waits here
        }
    }
}

/// <summary>The database of a shop, which waits for its file without a limit.</summary>
/// <param name="file">The file.</param>
internal sealed class ShopContext(string file) : DbContext
{
    /// <summary>The orders.</summary>
    public DbSet<Order> Orders => Set<Order>();

    /// <inheritdoc/>
    protected override void OnConfiguring(DbContextOptionsBuilder optionsBuilder) =>
        optionsBuilder.UseSqlite($"Data Source={file};Default Timeout=0", sqlite => sqlite.CommandTimeout(0));
}

/// <summary>An order.</summary>
internal sealed class Order
{
    /// <summary>Its number.</summary>
    public int Id { get; set; }

    /// <summary>What was ordered.</summary>
    public string Text { get; set; } = "";
}
