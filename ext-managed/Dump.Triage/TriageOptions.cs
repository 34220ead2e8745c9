using System.Collections.Immutable;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
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

/// <summary>
/// One of several runs that share the dumps of a folder. Which dump falls to which depends on its content alone, so that copies fall to the same.
/// </summary>
/// <param name="Index">Which one, 1 to <paramref name="Count"/>.</param>
/// <param name="Count">How many there are, 1 to <see cref="Most"/>.</param>
public sealed record Shard(int Index, int Count)
{
    /// <summary>Most runs that can share a folder.</summary>
    public const int Most = 100_000;

    // The first 32 bits of the identity, which is a hash: evenly spread.
    private const int HashDigits = 8;

    /// <summary>The run as a part of file names.</summary>
    public string FileNamePart => string.Create(CultureInfo.InvariantCulture, $"{Index}-of-{Count}");

    /// <summary>The run for people.</summary>
    public string Text => string.Create(CultureInfo.InvariantCulture, $"{Index}/{Count}");

    /// <summary>Reads <c>i/n</c>.</summary>
    /// <param name="text">The text.</param>
    /// <param name="shard">The run, or null when the text is none.</param>
    /// <param name="first">What the first run is called: 1, or 0 as schedulers count.</param>
    public static bool TryParse(string text, [NotNullWhen(true)] out Shard? shard, int first = 1)
    {
        shard = text.Split('/') is [var index, var count]
            && int.TryParse(index, NumberStyles.None, CultureInfo.InvariantCulture, out int i)
            && int.TryParse(count, NumberStyles.None, CultureInfo.InvariantCulture, out int n)
            && i >= first && i - first < n && n <= Most ? new Shard(i - first + 1, n) : null;
        return shard is not null;
    }

    /// <summary>True when a dump falls to this run.</summary>
    /// <param name="identity">Identity of its content.</param>
    public bool Holds(string identity) =>
        uint.Parse(identity.AsSpan(0, HashDigits), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture) % (uint)Count == (uint)(Index - 1);
}

/// <summary>How far archives are unpacked. Memory dumps shrink to a fifth, those of idle heaps to a fiftieth; an archive bomb grows by a thousand.</summary>
internal sealed record UnpackLimits
{
    private const int SmallArchiveShare = 4;

    /// <summary>The limits of the program.</summary>
    public static UnpackLimits Default { get; } = new();

    /// <summary>Members that one archive may list.</summary>
    public int Members { get; init; } = 100_000;

    /// <summary>Bytes of an archive's table of members.</summary>
    public long DirectoryBytes { get; init; } = 32L << 20;

    /// <summary>Bytes that a member may have in any case.</summary>
    public long AlwaysAllowed { get; init; } = 1L << 30;

    /// <summary>How many times its packed size a larger member may have.</summary>
    public int Ratio { get; init; } = 200;

    /// <summary>Bytes that no member may exceed.</summary>
    public long MostBytes { get; init; } = 256L << 30;

    /// <summary>Bytes that stay free on the disk when a member is unpacked.</summary>
    public long FreeDisk { get; init; } = 512L << 20;

    /// <summary>Bytes of members that are unpacked while dumps are looked for and wait for their turn; what is more is unpacked again then.</summary>
    public long KeptBytes { get; init; } = 256L << 20;

    /// <summary>Bytes that all dumps of an archive together may have: members can share the same packed bytes.</summary>
    /// <param name="archive">Size of the archive in bytes.</param>
    public long AllowedInAll(long archive) => Math.Max(SmallArchiveShare * AlwaysAllowed, Allowed(archive));

    /// <summary>Bytes that a member of a packed size may have.</summary>
    public long Allowed(long packed) => Math.Min(MostBytes, Math.Max(AlwaysAllowed, packed > MostBytes / Ratio ? MostBytes : packed * Ratio));
}
