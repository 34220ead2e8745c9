using Dump.Capture.Proc;
using Dump.Model.Process;

namespace Dump.Capture;

/// <summary>A living process as the source of facts.</summary>
internal static class LiveSource
{
    /// <summary>Threads have the ids that the process itself knows; where the system shows them by others, that is said.</summary>
    public static SourceDescription Of(LiveProcess process, DateTime captured) => new(
        $"process {process.Id}",
        process.OwnId == process.Id ? "living Linux process" : "living Linux process in a container (threads by their ids inside of it)", null, captured, null);
}
