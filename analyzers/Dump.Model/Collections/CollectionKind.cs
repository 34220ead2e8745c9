using System.Collections.Frozen;
using System.Collections.Immutable;

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

/// <summary>What is true of every collection of a kind: one row of <see cref="CollectionKinds"/>.</summary>
/// <param name="Kind">The kind.</param>
/// <param name="Shape">How its elements hang together.</param>
/// <param name="TypeNames">Full names of its types, without type arguments.</param>
public sealed record CollectionKindFacts(CollectionKind Kind, CollectionShape Shape, ImmutableArray<string> TypeNames)
{
    /// <summary>True when its types have type arguments.</summary>
    public bool IsGeneric { get; init; } = true;

    /// <summary>The kind of the collection that keeps its elements: its own unless it wraps another one.</summary>
    public CollectionKind Storage { get; init; } = Kind;

    /// <summary>How many writers break it: one beside another thread, or two where one writer beside readers does no harm.</summary>
    public int HarmfulWriters { get; init; } = 1;

    /// <summary>
    /// Names of the methods that change it and that not every collection has, of all runtimes from .NET Framework to .NET 10 (dotnet/runtime
    /// <c>System.Collections</c> and <c>System.Private.CoreLib</c>).
    /// </summary>
    public ImmutableArray<string> Writers { get; init; } = [];
}

/// <summary>The one table of what is true of each kind of collection. Whatever asks what a kind is, asks here.</summary>
public static class CollectionKinds
{
    private const string Generic = "System.Collections.Generic.";

    private static readonly FrozenDictionary<CollectionKind, CollectionKindFacts> s_rows = ((CollectionKindFacts[])
    [
        new(CollectionKind.Dictionary, CollectionShape.Chains, [Generic + "Dictionary"]),
        new(CollectionKind.HashSet, CollectionShape.Chains, [Generic + "HashSet"])
        {
            Writers =
            [
                "AddIfNotPresent", "AddOrGetLocation", "SetCapacity", "IncreaseCapacity", "UnionWith", "ExceptWith", "IntersectWith",
                "SymmetricExceptWith", "IntersectWithHashSetWithSameComparer", "IntersectWithHashSetWithSameEC", "IntersectWithEnumerable",
                "SymmetricExceptWithUniqueHashSet", "SymmetricExceptWithEnumerable", "ConstructFrom", "CopyFrom",
            ],
        },
        new(CollectionKind.Hashtable, CollectionShape.Slots, ["System.Collections.Hashtable"])
        {
            IsGeneric = false,
            HarmfulWriters = 2,
            Writers = ["putEntry", "expand", "rehash", "UpdateVersion"],
        },
        new(CollectionKind.SortedSet, CollectionShape.Links, [Generic + "SortedSet", Generic + "TreeSet"])
        {
            Writers =
            [
                "DoRemove", "InsertionBalance", "ReplaceNode", "ReplaceChildOrRoot", "ReplaceChildOfNodeOrRoot", "AddAllElements", "RemoveAllElements",
            ],
        },
        new(CollectionKind.SortedDictionary, CollectionShape.Links, [Generic + "SortedDictionary"]) { Storage = CollectionKind.SortedSet },
        new(CollectionKind.LinkedList, CollectionShape.Links, [Generic + "LinkedList"])
        {
            Writers =
            [
                "AddFirst", "AddLast", "AddBefore", "AddAfter", "RemoveFirst", "RemoveLast", "InternalInsertNodeBefore", "InternalInsertNodeToEmptyList",
                "InternalRemoveNode",
            ],
        },
    ]).ToFrozenDictionary(r => r.Kind);

    private static readonly FrozenDictionary<string, CollectionKindFacts> s_byType =
        s_rows.Values.SelectMany(r => r.TypeNames.Select(n => (Name: n, Row: r))).ToFrozenDictionary(p => p.Name, p => p.Row, StringComparer.Ordinal);

    /// <summary>All rows, in the order of the kinds.</summary>
    public static ImmutableArray<CollectionKindFacts> All { get; } = [.. s_rows.Values.OrderBy(r => r.Kind)];

    /// <summary>The names of all kinds, for example <c>Dictionary, HashSet or LinkedList</c>.</summary>
    /// <param name="last">What stands before the last one: <c>" or "</c>.</param>
    public static string Names(string last) => $"{string.Join(", ", All.SkipLast(1).Select(r => r.Kind))}{last}{All[^1].Kind}";

    /// <summary>What is true of every collection of a kind.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The kind has no row.</exception>
    public static CollectionKindFacts Of(CollectionKind kind) =>
        s_rows.TryGetValue(kind, out CollectionKindFacts? row)
            ? row
            : throw new ArgumentOutOfRangeException(nameof(kind), kind, "a kind of collection without a row");

    /// <summary>The kind that a type name says, or null for none. Nested types and arrays are none.</summary>
    /// <param name="type">Full type name, as frames and objects have it, with its type arguments in angle brackets.</param>
    public static CollectionKind? OfType(string? type)
    {
        if (type is null || type.Contains('+', StringComparison.Ordinal) || type.EndsWith("[]", StringComparison.Ordinal))
        {
            return null;
        }

        int arguments = type.IndexOf('<', StringComparison.Ordinal);
        string name = arguments < 0 ? type : type[..arguments];
        return s_byType.TryGetValue(name, out CollectionKindFacts? row) && row.IsGeneric == arguments >= 0 ? row.Kind : null;
    }
}

/// <summary>How the elements of a collection hang together, which decides how it breaks.</summary>
public enum CollectionShape
{
    /// <summary>Buckets with chains of entries, which can come to lead back into themselves.</summary>
    Chains,

    /// <summary>Slots that are probed one after another: searches always end, but may miss what is there.</summary>
    Slots,

    /// <summary>Nodes with links to others, which can come to lead back into themselves.</summary>
    Links,
}
