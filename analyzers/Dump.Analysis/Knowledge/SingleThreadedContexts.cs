using System.Collections.Frozen;

namespace Dump.Analysis.Knowledge;

/// <summary>
/// Synchronization contexts that run everything on one thread, or one callback at a time, so that blocking in one of their callbacks blocks them.
/// </summary>
internal static class SingleThreadedContexts
{
    private static readonly FrozenSet<string> s_pumps = new[]
    {
        "System.Windows.Forms.WindowsFormsSynchronizationContext", // dotnet/winforms: posts to the thread's control
        "System.Windows.Threading.DispatcherSynchronizationContext", // dotnet/wpf: posts to the dispatcher's thread
        "Microsoft.UI.Dispatching.DispatcherQueueSynchronizationContext", // Windows App SDK
    }.ToFrozenSet(StringComparer.Ordinal);

    private static readonly FrozenSet<string> s_types = s_pumps.Concat(
    [
        "System.Web.AspNetSynchronizationContext", // .NET Framework: one callback of a request at a time
        "System.Web.LegacyAspNetSynchronizationContext",
        "Nito.AsyncEx.AsyncContext+AsyncContextSynchronizationContext",
    ]).ToFrozenSet(StringComparer.Ordinal);

    /// <summary>True for one that sends its work to a thread's message loop.</summary>
    /// <param name="type">Full type name.</param>
    public static bool PumpsMessages(string type) => s_pumps.Contains(type);

    /// <summary>True for a known one.</summary>
    /// <param name="type">Full type name.</param>
    public static bool Contains(string type) => s_types.Contains(type);
}
