using System.Collections.Immutable;

namespace Dump.Readers.Windows.Layouts;

/// <summary>
/// Offsets in _HEAP and the values by which such a heap knows itself. Source: the structure in the public symbols
/// of ntdll, as published by the Vergilius project for Windows 8 to 11 and as printed by dt ntdll!_HEAP in public
/// debugger logs of Windows 7 to 11, 32 and 64 bits. Wine's heap and the segment heap have neither signature.
/// </summary>
/// <param name="abi">Pointer size and version.</param>
internal sealed class HeapLayout(WindowsAbi abi)
{
    /// <summary>Value of the segment's signature field.</summary>
    public const uint SegmentSignatureValue = 0xFFEEFFEE;

    /// <summary>Value of the heap's signature field.</summary>
    public const uint SignatureValue = 0xEEFFEEFF;

    /// <summary>End of the last field that is read, of all versions and sizes.</summary>
    public const int End = 0x170;

    /// <summary>Offset of the 32-bit signature of the heap's first segment, with which the heap begins.</summary>
    public int SegmentSignature { get; } = abi.Offset(x64: 0x10, x86: 0x8);

    /// <summary>Offset of the pointer from the heap's first segment to its heap, which is the heap itself.</summary>
    public int SegmentHeap { get; } = abi.Offset(x64: 0x28, x86: 0x18);

    /// <summary>Offset of the heap's own 32-bit signature.</summary>
    public required int Signature { get; init; }

    /// <summary>Offset of the address of the heap's critical section; 0 there in a heap without serialisation.</summary>
    public required int LockVariable { get; init; }

    /// <summary>The layouts of all versions, newest first: a heap's signatures tell them apart, so the version is not asked.</summary>
    public static ImmutableArray<HeapLayout> Of(WindowsAbi abi) =>
    [
        new(abi) { Signature = abi.Offset(x64: 0x98, x86: 0x60), LockVariable = abi.Offset(x64: 0x160, x86: 0xC8) }, // since Windows 8
        new(abi) { Signature = abi.Offset(x64: 0xA0, x86: 0x64), LockVariable = abi.Offset(x64: 0x168, x86: 0xCC) }, // Windows 7
    ];
}
