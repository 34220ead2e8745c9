using Dump.Model.Managed;

namespace Dump.Clr;

/// <summary>What was found out about async methods, without threads that the native half does not list.</summary>
internal static class MergedAsyncWaits
{
    /// <summary>Leaves them out.</summary>
    /// <param name="waits">What was found.</param>
    /// <param name="known">Operating system ids of the threads of the native half.</param>
    public static AsyncWaits Of(AsyncWaits waits, IReadOnlySet<uint> known) => waits with
    {
        Semaphores = [.. waits.Semaphores.Select(s => s with { Threads = [.. s.Threads.Where(known.Contains)] })],
        Endless = [.. waits.Endless.Where(w => known.Contains(w.ThreadId))],
        Sources = [.. waits.Sources.Select(s => s with { Threads = [.. s.Threads.Where(known.Contains)] })],
        Cycles = [.. waits.Cycles.Where(c => !c.Links.IsEmpty).Select(c => c with { Threads = [.. c.Threads.Where(known.Contains)] })],
    };
}
