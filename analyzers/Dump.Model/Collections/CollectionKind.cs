namespace Dump.Model.Collections;

/// <summary>Collections of .NET that are not safe for writing while another thread uses them.</summary>
public enum CollectionKind
{
    /// <summary><c>System.Collections.Generic.Dictionary</c>.</summary>
    Dictionary,

    /// <summary><c>System.Collections.Generic.HashSet</c>.</summary>
    HashSet,

    /// <summary><c>System.Collections.Hashtable</c>: safe for one writer beside readers, not for two writers.</summary>
    Hashtable,

    /// <summary><c>System.Collections.Generic.SortedSet</c>.</summary>
    SortedSet,

    /// <summary><c>System.Collections.Generic.SortedDictionary</c>, whose pairs stand in a sorted set.</summary>
    SortedDictionary,

    /// <summary><c>System.Collections.Generic.LinkedList</c>.</summary>
    LinkedList,
}
