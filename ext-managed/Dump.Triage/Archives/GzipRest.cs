namespace Dump.Triage.Archives;

/// <summary>What stands behind a part of a gzip file.</summary>
internal enum GzipRest
{
    /// <summary>Nothing, or zeros: files on tapes and blocks of disks end with such.</summary>
    Nothing,

    /// <summary>Another part.</summary>
    Part,

    /// <summary>Something else.</summary>
    Foreign,
}
