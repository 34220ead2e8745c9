namespace Dump.Clr.Heap;

/// <summary>What a walk needs to know of a type.</summary>
/// <param name="MethodTable">Its method table.</param>
/// <param name="BaseSize">Size of an object without elements, bytes.</param>
/// <param name="ElementSize">Size of an element, 0 for types without elements.</param>
/// <param name="IsFree">True for free blocks, whose length has 64 bits.</param>
/// <param name="Tag">What the visitor attached to the type, or null when it does not want to see its objects.</param>
internal sealed record HeapType(ulong MethodTable, uint BaseSize, uint ElementSize, bool IsFree, object? Tag);
