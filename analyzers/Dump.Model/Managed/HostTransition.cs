namespace Dump.Model.Managed;

/// <summary>
/// A host of Microsoft.Extensions.Hosting that has begun to start or to stop and has not finished: its services are not all up, or the process does not end.
/// </summary>
/// <param name="Address">The object of the host's pending async method.</param>
/// <param name="IsStart">True for a host that starts, false for one that stops.</param>
public sealed record HostTransition(ulong Address, bool IsStart)
{
    /// <summary>The innermost method of the program's own that the host waits for; null when there is none.</summary>
    public AwaitingMethod? Method { get; init; }

    /// <summary>What stands at the end of its awaits, in words; null for something that nobody is known to end: a completion source, a semaphore.</summary>
    public string? End { get; init; }

    /// <summary>True when that is time, or code that runs.</summary>
    public bool EndsByItself { get; init; }
}
