namespace Dump.Triage;

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
