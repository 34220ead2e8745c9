namespace Dump.Readers.Instructions;

/// <summary>
/// Tells ARM64 return addresses from other values: a call instruction (BL, BLR and the authenticating forms of BLR) stands before them. Source: Arm
/// Architecture Reference Manual, A64 base instructions.
/// </summary>
internal static class Arm64CallInstruction
{
    /// <summary>Bytes of an instruction.</summary>
    public const int Size = 4;

    /// <summary>
    /// True when the instruction before the address is a call; false when it is not, or the address is not aligned; null when it is not readable.
    /// </summary>
    public static bool? Precedes(IMemory memory, ulong address) =>
        address % Size != 0 || address < Size ? false
        : memory.ReadUInt32(address - Size) is not { } instruction ? null
        : (instruction & 0xFC00_0000) == 0x9400_0000
            || (instruction & 0xFFFF_FC1F) == 0xD63F_0000
            || (instruction & 0xFFFF_F81F) == 0xD63F_081F
            || (instruction & 0xFFFF_F800) == 0xD73F_0800;
}
