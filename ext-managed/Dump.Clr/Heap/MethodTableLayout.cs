namespace Dump.Clr.Heap;

/// <summary>
/// Offsets of objects and method tables of 64-bit CoreCLR, the same from .NET Core 2.0 to .NET 10
/// (dotnet/runtime <c>src/coreclr/vm/methodtable.h</c>, <c>object.h</c> and <c>gc/gc.cpp</c>).
/// </summary>
internal static class MethodTableLayout
{
    /// <summary>Flags, 4 bytes: bit 31 says that the low 16 bits are the size of an element.</summary>
    public const int Flags = 0;

    /// <summary>Size of an object without elements, header in front of it included, 4 bytes.</summary>
    public const int BaseSize = 4;

    /// <summary>Method table of the element type, in the method table of an array.</summary>
    public const ulong ElementType = 0x30;

    public const uint HasComponentSize = 0x8000_0000;
    public const uint ComponentSizeMask = 0xFFFF;

    /// <summary>The garbage collector marks objects in the low bits of their method-table pointers.</summary>
    public const ulong PointerMask = ~7UL;

    /// <summary>Number of elements, behind the method-table pointer.</summary>
    public const int Length = 8;

    /// <summary>First field of an object.</summary>
    public const int Fields = 8;

    /// <summary>First element of an array whose elements are no references to arrays of several dimensions.</summary>
    public const int ArrayData = 16;

    /// <summary>Size of the smallest object; so much lies between the end of an allocation context and the next object.</summary>
    public const ulong SmallestObject = 24;

    /// <summary>Objects begin at multiples of this.</summary>
    public const ulong Alignment = 8;
}
