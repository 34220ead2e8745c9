namespace Dump.Model.Facts;

/// <summary>Where a piece of evidence was read from.</summary>
public enum EvidenceSource
{
    /// <summary>A field of a structure in the process' memory.</summary>
    Memory,

    /// <summary>A stream of the dump, for example the handle or thread-information stream.</summary>
    DumpStream,

    /// <summary>A register of a thread's saved context or of an unwound frame.</summary>
    Register,

    /// <summary>Functions named on a thread's stack.</summary>
    Stack,

    /// <summary>The bytes of an instruction.</summary>
    Code,

    /// <summary>A record of the .NET runtime, read through its own data-access library.</summary>
    Runtime,

    /// <summary>What the operating system itself says of a living process.</summary>
    System,

    /// <summary>A conclusion from other evidence under a documented rule.</summary>
    Rule,
}
