namespace Dump.Testing.Triage;

/// <summary>What a dump of a generated folder is.</summary>
public enum FolderDumpKind
{
    /// <summary>A whole dump, with small changes that decide nothing: another time stamp, lists in another order.</summary>
    Whole,

    /// <summary>The content of another dump of the folder under another name.</summary>
    Copy,

    /// <summary>
    /// The first part of a dump: the lists may be there, the memory is not. It can be read or not; it must not be answered with "no problem".
    /// </summary>
    Cut,

    /// <summary>Nothing can be read of it.</summary>
    Damaged,
}
