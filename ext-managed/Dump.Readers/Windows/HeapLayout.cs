namespace Dump.Readers.Windows;

/// <summary>
/// Offsets in the 64-bit _HEAP of Windows 8 to 11 and the values by which such a heap knows itself. Source: the structure in the public symbols of ntdll, as published by
/// the Vergilius project for Windows 8, 8.1, 10 and 11. Windows 7 keeps the signature and the lock 8 bytes further on; Wine's heap and the segment heap have neither.
/// </summary>
internal static class HeapLayout
{
    public const int SegmentSignature = 0x10;

    /// <summary>Offset of the pointer from the heap's first segment to its heap, which is the heap itself.</summary>
    public const int SegmentHeap = 0x28;

    public const int Signature = 0x98;
    public const int LockVariable = 0x160;

    /// <summary>Value of the segment's signature field.</summary>
    public const uint SegmentSignatureValue = 0xFFEEFFEE;

    /// <summary>Value of the heap's signature field.</summary>
    public const uint SignatureValue = 0xEEFFEEFF;
}
