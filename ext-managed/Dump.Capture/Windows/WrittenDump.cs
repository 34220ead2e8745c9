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
    /// <summary>Writes it: of a clone where the system has that, else of the stopped process.</summary>
    /// <param name="calls">The system.</param>
    /// <param name="hold">What stops the process.</param>
    /// <param name="request">What to write.</param>
    /// <exception cref="Readers.InvalidDumpException">It cannot be written; the process runs on.</exception>
    /// <exception cref="OperationCanceledException">The writing was ended early; the process runs on.</exception>
    public static WrittenDump Take(IWindowsCalls calls, ITargetHold hold, DumpRequest request)
    {
        if (calls.WriteClone(request).IsWritten)
        {
            return new WrittenDump(TimeSpan.Zero, null);
        }

        request.Cancellation.ThrowIfCancellationRequested();
        IReadOnlyDictionary<uint, int> counts = hold.Stop();
        TimeSpan stoppedFor;
        WriteAnswer answer;
        try
        {
            answer = calls.Write(request);
        }
        finally
        {
            stoppedFor = hold.LetGo();
        }

        request.Cancellation.ThrowIfCancellationRequested();
        return answer.IsWritten ? new WrittenDump(stoppedFor, counts.ToImmutableDictionary())
            : throw new Readers.InvalidDumpException(FormattableString.Invariant(
                $"process {request.Process} could not be read: {Explain(answer)}"));
    }

    private static string Explain(WriteAnswer answer) => answer.IsAvailable
        ? $"MiniDumpWriteDump failed: {WindowsError.Text(answer.Error)}"
        : "this system has no MiniDumpWriteDump (dbgcore.dll)";
}
