using Dump.Readers;

namespace Dump.Capture;

/// <summary>How to look at a living process.</summary>
public sealed record LiveReadOptions
{
    /// <summary>How often processor times are sampled, at least twice.</summary>
    public int Samples { get; init; } = 2;

    /// <summary>Time between two samples.</summary>
    public TimeSpan Interval { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>Longest time for which the process is kept stopped while it is read; writing a core that is to be kept is not counted.</summary>
    public TimeSpan LongestStop { get; init; } = TimeSpan.FromMinutes(1);

    /// <summary>Where to keep a core of the moment that was read, or null to keep none.</summary>
    public string? KeepPath { get; init; }

    /// <summary>Directory with the process' .NET runtime, given by the user; null to look among the installed runtimes and beside the process' own where that can be trusted.</summary>
    public string? DacDirectory { get; init; }

    /// <summary>Limits on untrusted input.</summary>
    public ReadLimits Limits { get; init; } = ReadLimits.Default;
}
