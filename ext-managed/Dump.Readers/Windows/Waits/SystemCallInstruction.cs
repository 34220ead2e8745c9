using Dump.Model.Process;

namespace Dump.Readers.Windows.Waits;

/// <summary>Tells whether a thread stands behind a system-call instruction, which is where one that is blocked in the kernel stands.</summary>
internal static class SystemCallInstruction
{
    // Longest x64 "syscall" or "int 2e" instruction.
    private const int X64Size = 2;

    // ARM64 "svc" with any number in the bits of the mask's complement.
    private const uint Arm64 = 0xD400_0001;
    private const uint Arm64Mask = 0xFFE0_001F;

    /// <summary>True when the instruction before the address is one; null when it is not readable.</summary>
    public static bool? Precedes(IMemory memory, ulong address, ProcessorArchitecture architecture)
    {
        if (architecture == ProcessorArchitecture.Arm64)
        {
            return address < sizeof(uint) || memory.ReadUInt32(address - sizeof(uint)) is not { } instruction ? null : (instruction & Arm64Mask) == Arm64;
        }

        Span<byte> before = stackalloc byte[X64Size];
        return address < X64Size || !memory.TryRead(address - X64Size, before) ? null
            : before is [0x0F, 0x05] or [0xCD, 0x2E] || (architecture == ProcessorArchitecture.X86 && EntersFrom32Bits(before, memory.ReadByte(address)));
    }

    /// <summary>32-bit code enters by "sysenter", or by a stub's "call edx", behind which the stub returns.</summary>
    private static bool EntersFrom32Bits(ReadOnlySpan<byte> before, byte? next) => before is [0x0F, 0x34] || (before is [0xFF, 0xD2] && next is 0xC2 or 0xC3);
}
