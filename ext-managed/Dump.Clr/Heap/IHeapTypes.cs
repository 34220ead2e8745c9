namespace Dump.Clr.Heap;

/// <summary>Knows the types of a heap. Safe for concurrent use.</summary>
internal interface IHeapTypes
{
    /// <summary>The method table of free blocks.</summary>
    ulong FreeMethodTable { get; }

    /// <summary>Looks a method table up; called once for each.</summary>
    /// <param name="methodTable">Address of the method table.</param>
    /// <param name="tag">What to attach to its objects, or null for objects that nobody wants to see.</param>
    /// <returns>False when there is no such type.</returns>
    bool TryResolve(ulong methodTable, out object? tag);
}
