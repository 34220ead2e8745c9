namespace Dump.Model.Process;

/// <summary>Processor architecture of the process.</summary>
public enum ProcessorArchitecture
{
    /// <summary>Not recognised.</summary>
    Unknown,

    /// <summary>32-bit x86.</summary>
    X86,

    /// <summary>64-bit x86.</summary>
    X64,

    /// <summary>32-bit ARM.</summary>
    Arm,

    /// <summary>64-bit ARM.</summary>
    Arm64,
}
