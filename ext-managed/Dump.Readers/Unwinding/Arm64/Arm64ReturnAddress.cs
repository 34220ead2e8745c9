namespace Dump.Readers.Unwinding.Arm64;

/// <summary>
/// Return addresses that may carry a pointer authentication code, which signed code keeps in the bits that an address of a user process does not need.
/// </summary>
internal static class Arm64ReturnAddress
{
    // User addresses of 64-bit Windows have 47 bits ("Virtual Address Spaces" of the Windows driver documentation: 0 to 7FFFFFFFFFFF). The code takes bits
    // above them.
    private const ulong AddressMask = 0x7FFF_FFFF_FFFF;

    /// <summary>The address without such a code.</summary>
    public static ulong Strip(ulong address) => address & AddressMask;

    /// <summary>True when bits are set that no user address has.</summary>
    public static bool IsSigned(ulong address) => address > AddressMask;
}
