namespace Dump.Triage.Discovery;

/// <summary>What an entry of a folder is.</summary>
public enum EntryKind
{
    /// <summary>An ordinary file.</summary>
    File,

    /// <summary>A folder.</summary>
    Directory,

    /// <summary>A pipe, a socket or a device: opening it may wait for ever or have an effect.</summary>
    Special,
}
