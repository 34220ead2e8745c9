using Dump.Capture.Watching.Looks;

namespace Dump.Capture.Watching;

/// <summary>Captures processes, and tells of what was captured.</summary>
public interface ICaptures
{
    /// <summary>Captures a process. Takes as long as it takes; nothing is looked at meanwhile.</summary>
    /// <param name="process">The process.</param>
    /// <param name="reason">Why.</param>
    /// <param name="stop">Ends it, and leaves nothing of it.</param>
    /// <exception cref="OperationCanceledException">It was ended.</exception>
    CaptureOutcome Take(WatchedProcess process, CaptureReason reason, CancellationToken stop);

    /// <summary>Tells of what could not be told of before; asked after each look, so that it decides itself when it tries again.</summary>
    /// <param name="stop">Ends it.</param>
    void Tell(CancellationToken stop);

    /// <summary>Why there is nothing left to watch for, as a clause; null while there is.</summary>
    string? Done { get; }
}
