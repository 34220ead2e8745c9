using Dump.Model.Collections;

namespace Dump.Clr.Collections;

/// <summary>How one type of collection lies in memory, and how its objects are checked. Safe for concurrent use.</summary>
/// <param name="kind">Kind of collection.</param>
/// <param name="typeName">Full type name (sanitised).</param>
internal abstract class CollectionLayout(CollectionKind kind, string typeName)
{
    /// <summary>Kind of collection.</summary>
    public CollectionKind Kind => kind;

    /// <summary>Full type name (sanitised).</summary>
    public string TypeName => typeName;

    /// <summary>True when the collection's own methods follow a cycle for ever on this runtime.</summary>
    public abstract bool LoopsForEver { get; }

    /// <summary>False for types that are looked at through another object: the tree of a <c>SortedDictionary</c>.</summary>
    public virtual bool StandsAlone => true;

    /// <summary>True when the objects are nodes, by which a collection is known that nothing else leads to.</summary>
    public virtual bool IsOfNode => false;

    /// <summary>Checks an object.</summary>
    /// <param name="memory">Where it lies.</param>
    /// <param name="address">The object.</param>
    /// <exception cref="MissingMemoryException">A part of it cannot be read.</exception>
    public abstract CollectionState Check(CollectionMemory memory, ulong address);

    /// <summary>The object that holds the elements: the collection itself but for a <c>SortedDictionary</c>.</summary>
    /// <exception cref="MissingMemoryException">It cannot be read.</exception>
    public virtual ulong Storage(CollectionMemory memory, ulong address) => address;
}
