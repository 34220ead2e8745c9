using System.Collections.Immutable;

namespace Dump.Readers.Windows.Layouts;

/// <summary>
/// Offsets in _HEAP and the values by which such a heap knows itself. Source: the structure in the public symbols
/// of ntdll, as published by the Vergilius project for Windows 8 to 11 and as printed by dt ntdll!_HEAP in public
/// debugger logs of Windows 7 to 11, 32 and 64 bits. Wine's heap and the segment heap have neither signature.
/// </summary>
internal sealed record HeapLayout
{
    private static readonly ImmutableArray<HeapLayout> s_wide =
    [
        new() { SegmentSignature = 0x10, SegmentHeap = 0x28, Signature = 0x98, LockVariable = 0x160 }, // Windows 8 and later
        new() { SegmentSignature = 0x10, SegmentHeap = 0x28, Signature = 0xA0, LockVariable = 0x168 }, // Windows 7
    ];

    private static readonly ImmutableArray<HeapLayout> s_narrow =
    [
        new() { SegmentSignature = 0x8, SegmentHeap = 0x18, Signature = 0x60, LockVariable = 0xC8 },
        new() { SegmentSignature = 0x8, SegmentHeap = 0x18, Signature = 0x64, LockVariable = 0xCC },
    ];

    /// <summary>Value of the segment's signature field.</summary>
    public const uint SegmentSignatureValue = 0xFFEEFFEE;

    /// <summary>Value of the heap's signature field.</summary>
    public const uint SignatureValue = 0xEEFFEEFF;

    /// <summary>Offset of the 32-bit signature of the heap's first segment, with which the heap begins.</summary>
    public required int SegmentSignature { get; init; }

    /// <summary>Offset of the pointer from the heap's first segment to its heap, which is the heap itself.</summary>
    public required int SegmentHeap { get; init; }

    /// <summary>Offset of the heap's own 32-bit signature.</summary>
    public required int Signature { get; init; }

    /// <summary>Offset of the address of the heap's critical section; 0 there in a heap without serialisation.</summary>
    public required int LockVariable { get; init; }

    /// <summary>The layouts for addresses of 4 or 8 bytes, newest first; the signatures tell them apart.</summary>
    public static ImmutableArray<HeapLayout> Of(int pointerSize) => pointerSize == sizeof(uint) ? s_narrow : s_wide;
}
