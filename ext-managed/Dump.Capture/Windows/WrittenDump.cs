using System.Collections.Immutable;
using Dump.Capture.Windows.Calls;
using Dump.Capture.Windows.Holding;
using Dump.Capture.Windows.Writing;

namespace Dump.Capture.Windows;

/// <summary>A dump of a living process that is complete.</summary>
/// <param name="StoppedFor">How long the process was stopped; zero for a clone.</param>
/// <param name="SuspendCounts">Suspend counts that its threads had before by thread id; null for a clone.</param>
internal sealed record WrittenDump(TimeSpan StoppedFor, IReadOnlyDictionary<uint, int>? SuspendCounts)
{
    // A writer that looks at its callback ends within this time.
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(2);

    /// <summary>Writes it: of a clone where the system has that, else of the stopped process.</summary>
    /// <param name="calls">The system.</param>
    /// <param name="hold">What stops the process.</param>
    /// <param name="request">What to write.</param>
    /// <param name="limit">For how long the process may be stopped.</param>
    /// <exception cref="Readers.InvalidDumpException">It cannot be written; the process runs on.</exception>
    /// <exception cref="OperationCanceledException">The writing was ended early; the process runs on.</exception>
    public static WrittenDump Take(IWindowsCalls calls, ITargetHold hold, DumpRequest request, TimeSpan limit)
    {
        if (calls.WriteClone(request).IsWritten)
        {
            return new WrittenDump(TimeSpan.Zero, null);
        }

        request.Cancellation.ThrowIfCancellationRequested();
        IReadOnlyDictionary<uint, int> counts = hold.Stop(limit);
        TimeSpan stoppedFor;
        WriteAnswer? answer;
        try
        {
            answer = Write(calls, hold, request);
        }
        finally
        {
            stoppedFor = hold.LetGo();
        }

        request.Cancellation.ThrowIfCancellationRequested();
        if (hold.Expired.IsCancellationRequested || answer is not { } known)
        {
            throw new Readers.InvalidDumpException(FormattableString.Invariant(
                $"process {request.Process} was let go after {limit.TotalSeconds:0.###} s, before its memory was written; allow more: --stop-limit"));
        }

        return known.IsWritten ? new WrittenDump(stoppedFor, counts.ToImmutableDictionary())
            : throw new Readers.InvalidDumpException(FormattableString.Invariant(
                $"process {request.Process} could not be read: {Explain(known)}"));
    }

    /// <summary>How it ended; null when the process was let go meanwhile and the writer does not come back, which is foreign code and may hang.</summary>
    private static WriteAnswer? Write(IWindowsCalls calls, ITargetHold hold, DumpRequest request)
    {
        using var end = CancellationTokenSource.CreateLinkedTokenSource(request.Cancellation, hold.Expired);
        DumpRequest linked = request with { Cancellation = end.Token };
        Task<WriteAnswer> writing = Task.Factory.StartNew(
            () => calls.Write(linked), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        try
        {
            _ = Task.WaitAny([writing], hold.Expired);
        }
        catch (OperationCanceledException)
        {
            _ = Task.WaitAny([writing], s_patience);
        }

        return writing.IsCompleted ? writing.GetAwaiter().GetResult() : null;
    }

    private static string Explain(WriteAnswer answer) => answer.IsAvailable
        ? $"MiniDumpWriteDump failed: {WindowsError.Text(answer.Error)}"
        : "this system has no MiniDumpWriteDump (dbgcore.dll)";
}
