using Dump.Model.Process;

namespace Dump.Readers.Registers;

/// <summary>
/// Registers of one frame, whatever the architecture. What is not known in the frame is not listed, never zero. Unchanging once it is part of a walked stack.
/// </summary>
public interface IFrameRegisters
{
    /// <summary>The architecture whose registers these are; for a 32-bit process in a 64-bit dump that of its code, not that of the dump.</summary>
    ProcessorArchitecture Architecture { get; }

    /// <summary>Address of the next instruction: in a caller, the return address.</summary>
    ulong InstructionPointer { get; }

    /// <summary>The stack pointer: in a caller, as it is after the return.</summary>
    ulong StackPointer { get; }

    /// <summary>All registers that are known, with their names in lower case, in the order of their numbers, the instruction pointer last.</summary>
    IEnumerable<(string Name, ulong Value)> Named { get; }

    /// <summary>Values of the known registers that a called function preserves, without the stack pointer.</summary>
    IEnumerable<ulong> Nonvolatile { get; }
}
