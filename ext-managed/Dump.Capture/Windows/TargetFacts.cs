namespace Dump.Capture.Windows;

/// <summary>What Windows says of a process before anything is done to it. What it does not tell is null.</summary>
internal sealed record TargetFacts
{
    /// <summary>Process id.</summary>
    public required int Id { get; init; }

    /// <summary>File name of its program, or null.</summary>
    public string? Name { get; init; }

    /// <summary>Error of opening it with the rights that reading and stopping it takes (winerror.h); 0 when they are granted.</summary>
    public int OpenError { get; init; }

    /// <summary>Machine type of its program where that is not the system's own (winnt.h, IMAGE_FILE_MACHINE_); 0 where it is, null when unknown.</summary>
    public ushort? EmulatedMachine { get; init; }

    /// <summary>Machine type of the system (winnt.h, IMAGE_FILE_MACHINE_), or null.</summary>
    public ushort? SystemMachine { get; init; }

    /// <summary>Its protection (processthreadsapi.h, PROTECTION_LEVEL_), or null.</summary>
    public uint? Protection { get; init; }

    /// <summary>Session in which it runs, or null.</summary>
    public uint? Session { get; init; }

    /// <summary>Session in which this program runs, or null.</summary>
    public uint? OwnSession { get; init; }

    /// <summary>Whether this program runs with the rights of an administrator; null when unknown.</summary>
    public bool? IsElevated { get; init; }
}
