namespace Dump.Clr.Heap;

/// <summary>Receives the objects of one worker of a walk.</summary>
internal interface IHeapVisitor
{
    /// <summary>An object of a type with a tag.</summary>
    /// <param name="address">Address of the object.</param>
    /// <param name="type">Its type.</param>
    void Visit(ulong address, HeapType type);
}
