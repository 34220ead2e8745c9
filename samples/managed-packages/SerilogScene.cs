using Serilog;
using Serilog.Core;
using Serilog.Events;
using Serilog.Formatting;

namespace Dump.Samples.Managed.Packages;

/// <summary>
/// A deadlock through the log: one thread writes to it under a monitor, and another, which has the lock of the log's file, asks for that monitor to format its
/// line.
/// </summary>
internal static class SerilogScene
{
    /// <summary>Held by whoever changes an order.</summary>
    internal static readonly object Orders = new();

    /// <summary>Set when a line is being formatted.</summary>
    internal static readonly ManualResetEventSlim Formatting = new();

    /// <summary>Set when an order is being changed.</summary>
    internal static readonly ManualResetEventSlim Changing = new();

    /// <summary>Plays it.</summary>
    public static void Play(Stage stage)
    {
        Logger log = new LoggerConfiguration().WriteTo.File(new OrderFormatter(), Path.Combine(Program.Folder, "shop.log")).CreateLogger();
        stage.Keep(log);
        Thread audit = stage.Start("audit", () => Audit(log));
        Formatting.Wait();
        Thread cancel = stage.Start("cancel", () => Cancel(log));
        stage.UntilBlocked(audit, cancel);
    }

    private static void Audit(Logger log) => log.Information("audited");

    private static void Cancel(Logger log)
    {
        lock (Orders)
        {
            Changing.Set();
            log.Information("cancelled");  // SerilogScene.Cancel waits here
        }
    }
}

/// <summary>Formats a line with the number of orders.</summary>
internal sealed class OrderFormatter : ITextFormatter
{
    /// <inheritdoc/>
    public void Format(LogEvent logEvent, TextWriter output)
    {
        SerilogScene.Formatting.Set();
        SerilogScene.Changing.Wait();
        lock (SerilogScene.Orders)  // OrderFormatter.Format waits here
        {
            output.WriteLine(logEvent.RenderMessage(null));
        }
    }
}
