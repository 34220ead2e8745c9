namespace Dump.Triage.Discovery;

/// <summary>What a file is by its first bytes.</summary>
internal enum ContentKind
{
    /// <summary>Nothing that is looked for.</summary>
    Other,

    /// <summary>A dump by its signature. Whether it is a sound one is for its analysis to say.</summary>
    Dump,

    /// <summary>A zip archive.</summary>
    Zip,

    /// <summary>A file compressed with gzip.</summary>
    Gzip,

    /// <summary>A cabinet.</summary>
    Cabinet,

    /// <summary>An archive or packed file of a kind that is not opened.</summary>
    OtherArchive,
}
