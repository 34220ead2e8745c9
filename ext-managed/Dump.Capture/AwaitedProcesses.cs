using System.Collections.Immutable;
using Dump.Capture.Proc;

namespace Dump.Capture;

/// <summary>Other processes that the threads of a living process wait for.</summary>
public static class AwaitedProcesses
{
    /// <summary>Those of a process that was just looked at, as its system tells now.</summary>
    /// <param name="live">The look.</param>
    public static ImmutableArray<AwaitedProcess> Of(LiveSnapshot live) =>
        OperatingSystem.IsLinux() ? OtherEnds.Of(live.Snapshot) : live.Awaited;
}
