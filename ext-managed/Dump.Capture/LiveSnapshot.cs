using System.Collections.Immutable;
using Dump.Capture.Following;
using Dump.Model.Process;

namespace Dump.Capture;

/// <summary>What was read of a living process.</summary>
/// <param name="Snapshot">The facts.</param>
/// <param name="StoppedFor">How long its threads were stopped, in all; zero when they were not.</param>
public sealed record LiveSnapshot(ProcessSnapshot Snapshot, TimeSpan StoppedFor)
{
    /// <summary>How often its threads were stopped.</summary>
    public int Stops { get; init; }

    /// <summary>Why the core that was asked for could not be kept, as a clause; null when it was, or nobody asked.</summary>
    public string? NotKept { get; init; }

    /// <summary>True where not all of its memory was taken, so that another look might tell more.</summary>
    public bool IsPartial { get; init; }

    /// <summary>False for a process without a .NET runtime that could be read, of which little is known.</summary>
    public bool IsManaged { get; init; }

    /// <summary>Other processes for which its threads wait, each once.</summary>
    public ImmutableArray<AwaitedProcess> Awaited { get; init; } = [];
}
