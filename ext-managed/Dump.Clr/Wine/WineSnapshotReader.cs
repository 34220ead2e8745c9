using Dump.Clr.Runtimes;
using Dump.Model.Facts;
using Dump.Model.Process;

namespace Dump.Clr.Wine;

/// <summary>
/// Adds the managed half of a Windows dump on Linux: the win-x64 build of this program reads it under Wine, where the Windows data-access library runs.
/// </summary>
public static class WineSnapshotReader
{
    /// <summary>Lets the win-x64 build under Wine read the managed half of a dump, checks it and merges it into the native one.</summary>
    /// <param name="native">The native half.</param>
    /// <param name="path">Path of the dump.</param>
    /// <param name="options">How to read.</param>
    /// <param name="wine">Wine and the program to run.</param>
    /// <param name="progress">Receives what is being done.</param>
    /// <param name="cancellation">Ends the reading early.</param>
    /// <returns>The merged snapshot; the native one with the reason in <see cref="ProcessSnapshot.Missing"/> when that failed.</returns>
    /// <exception cref="OperationCanceledException">Reading was ended early.</exception>
    public static ProcessSnapshot Read(
        ProcessSnapshot native, string path, ClrReadOptions options, WineReadOptions wine, IProgress<string>? progress = null,
        CancellationToken cancellation = default)
    {
        if (WindowsRuntimes.Find(native) is not { } module)
        {
            return native;
        }

        progress?.Report("reading the managed half under Wine");
        DotNetRuntime runtime = DotNetRuntime.Of(module);
        if (!runtime.IsCore)
        {
            return WindowsRuntimes.StateMissing(native);
        }

        try
        {
            using WineExchange exchange = new(path, options.DacDirectory ?? WantedRuntime.FetchedFor(path));
            WineRun.Run(wine, exchange, options, cancellation);
            return exchange.ReadResult() is { } half
                ? MergedSnapshot.Of(native, half) with { ManagedHalfOrigin = half.Threads.IsEmpty ? null : $"{runtime.Name}, read under Wine" }
                : throw new WineReadException("the program found no .NET runtime in the dump");
        }
        catch (WineReadException error)
        {
            MissingData failed = MissingData.Of(
                MissingKind.ManagedHalfUnderWine, subject: runtime.Name, detail: error.Message, advice: DotNetRuntime.DebuggerAdvice);
            return native with { Missing = [.. native.Missing, failed] };
        }
    }
}
