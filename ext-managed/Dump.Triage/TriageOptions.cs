using System.Collections.Immutable;
using Dump.Triage.Children;

namespace Dump.Triage;

/// <summary>What to triage, and within which limits.</summary>
public sealed record TriageOptions
{
    /// <summary>Folders and files.</summary>
    public required ImmutableArray<string> Inputs { get; init; }

    /// <summary>Folder of the records; made when it is not there.</summary>
    public required string Output { get; init; }

    /// <summary>Dumps that are analysed at the same time, at least 1.</summary>
    public int Jobs { get; init; } = Environment.ProcessorCount;

    /// <summary>The part of the dumps that this run takes; null for all.</summary>
    public Shard? Shard { get; init; }

    /// <summary>Wall time that the analysis of one dump may take.</summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>Memory in bytes that the analysis of one dump may use, all its processes together, pages of mapped files not counted.</summary>
    public long Memory { get; init; } = 2L << 30;

    /// <summary>Patterns of which a dump's path must match one; empty for all.</summary>
    public ImmutableArray<string> Include { get; init; } = [];

    /// <summary>True to analyse dumps that have a record too.</summary>
    public bool Again { get; init; }

    /// <summary>True to start a process for each dump, which then shares none with another.</summary>
    public bool IsFresh { get; init; }

    /// <summary>Options that each analysis is started with.</summary>
    public ImmutableArray<string> AnalysisArguments { get; init; } = [];

    /// <summary>The program that analyses a dump.</summary>
    internal AnalysisProgram Program { get; init; } = AnalysisProgram.Own;

    /// <summary>How far archives are unpacked.</summary>
    internal UnpackLimits Unpacking { get; init; } = UnpackLimits.Default;
}
