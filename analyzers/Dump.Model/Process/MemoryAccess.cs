namespace Dump.Model.Process;

/// <summary>What an instruction did to memory that it must not touch.</summary>
public enum MemoryAccess
{
    /// <summary>It is not known.</summary>
    Unknown,

    /// <summary>It read.</summary>
    Read,

    /// <summary>It wrote.</summary>
    Write,

    /// <summary>It was to be fetched from there.</summary>
    Execute,
}
