using Dump.Analysis.Knowledge;
using Dump.Model.Waits;

namespace Dump.Analysis.Detection;

/// <summary>Waits that something outside of the process's threads may end at any moment, so that no thread has to be stuck for them to last.</summary>
internal static class OutsideWork
{
    /// <summary>
    /// True when input, output, another process, a window (it may be another process') or new work ends the wait. A task that no thread runs may stand for any
    /// of them, and below a call of a socket, a file or another process an event is only how the system reports the end.
    /// </summary>
    public static bool Ends(AnalysisContext context, WaitFact wait) =>
        wait.Resource.Facts.EndsFromOutside
        || (context.Thread(wait.ThreadId) is { Stack.Frames: var frames } && BlockingCalls.Find(frames, frames.Length) is not null);
}
