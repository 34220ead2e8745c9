namespace Dump.Readers.Minidump;

/// <summary>The Exception stream.</summary>
/// <param name="ThreadId">Thread that raised it.</param>
/// <param name="Code">Exception code.</param>
/// <param name="Flags">Exception flags.</param>
/// <param name="Address">Address of the instruction.</param>
/// <param name="Parameters">At most 15 parameters.</param>
/// <param name="Context">Where the CONTEXT is.</param>
public sealed record MinidumpException(
    uint ThreadId,
    uint Code,
    uint Flags,
    ulong Address,
    IReadOnlyList<ulong> Parameters,
    FileRange Context);
