using Dump.Readers.Registers;

namespace Dump.Readers.Minidump;

/// <summary>The Exception stream.</summary>
/// <param name="ThreadId">Thread that raised it.</param>
/// <param name="Code">Exception code.</param>
/// <param name="Flags">Exception flags.</param>
/// <param name="Address">Address of the instruction as recorded; for x86, writers extend it to 64 bits with its sign.</param>
/// <param name="Parameters">At most 15 parameters as recorded; addresses among them are extended like <paramref name="Address"/>.</param>
/// <param name="Context">Where the CONTEXT is.</param>
public sealed record MinidumpException(
    uint ThreadId,
    uint Code,
    uint Flags,
    ulong Address,
    IReadOnlyList<ulong> Parameters,
    FileRange Context)
{
    /// <summary>Registers at the exception, or null when the context is absent, not readable or of an architecture whose stacks are not walked.</summary>
    public IFrameRegisters? Registers { get; init; }

    /// <summary>Instruction pointer at the exception on any known architecture, or null.</summary>
    public ulong? InstructionPointer { get; init; }

    /// <summary>Stack pointer at the exception on any known architecture, or null.</summary>
    public ulong? StackPointer { get; init; }
}
