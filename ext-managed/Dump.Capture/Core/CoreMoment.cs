namespace Dump.Capture.Core;

/// <summary>What the notes of a core need to know of a stopped process.</summary>
internal sealed record CoreMoment
{
    /// <summary>Process id.</summary>
    public required int ProcessId { get; init; }

    /// <summary>Id of its first thread as the process knows it; in a container not the process id.</summary>
    public required uint FirstThread { get; init; }

    /// <summary>User id of the process.</summary>
    public required uint UserId { get; init; }

    /// <summary>Processor times and kinship.</summary>
    public required Proc.ProcessSample Sample { get; init; }

    /// <summary>The same shortly before the process was stopped.</summary>
    public required Proc.ProcessSample Before { get; init; }

    /// <summary>Threads with their registers, by the ids that the process knows.</summary>
    public required IReadOnlyList<Tracing.StoppedThread> Threads { get; init; }

    /// <summary>Mappings by address.</summary>
    public required IReadOnlyList<Proc.MemoryMapping> Mappings { get; init; }

    /// <summary>Arguments, separated by zero bytes, as <c>/proc/PID/cmdline</c> has them.</summary>
    public required byte[] CommandLine { get; init; }

    /// <summary>The auxiliary vector.</summary>
    public required byte[] AuxiliaryVector { get; init; }

    /// <summary>When it was stopped (UTC).</summary>
    public required DateTime Captured { get; init; }
}
