using Dump.Capture.Proc;
using Dump.Model.Process;

namespace Dump.Capture;

/// <summary>A living process as the source of facts.</summary>
internal static class LiveSource
{
    public static SourceDescription Of(LiveProcess process, DateTime captured) => new($"process {process.Id}", "living Linux process", null, captured, null);
}
